import { z } from 'zod';
import { maxTokenLength } from '../bounds.ts';
import { identifier } from './field.ts';

const pageFields = {
  cursor: z.string().max(maxTokenLength).optional().describe('The `next` of the page before.'),
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(200))
    .default(50)
    .describe('How many items at most, 1-200; 50 by default.'),
};

/** The query of a list: what its items have in common, and which page. */
export const pageQuery = <Filters extends z.core.$ZodShape>(filters: Filters) =>
  z.strictObject({ ...filters, ...pageFields });

export const ofTenant = { tenantId: identifier.optional().describe('Only those of this tenant.') };
export const ofAgent = { agentId: identifier.optional().describe('Only those of this agent.') };
