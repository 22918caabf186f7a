import { z } from 'zod';
import { identifier, timestamp } from './field.ts';

export const auditActions = ['created', 'updated', 'deleted', 'tested'] as const;

const fields = z.record(z.string(), z.unknown()).nullable();

/** One change of the settings. */
export const auditEntrySchema = z.strictObject({
  at: timestamp,
  tenantId: identifier.nullable().describe('Null: of the whole service.'),
  actor: z
    .strictObject({ id: identifier, name: z.string() })
    .nullable()
    .describe('The member, as they were called then; null: whoever holds the admin token.'),
  action: z.enum(auditActions),
  kind: z.string().describe('What was changed: `agent`, `draft` of one, `key`, `member`, ...'),
  subject: z.strictObject({ id: identifier, name: z.string().nullable() }),
  before: fields.describe('The fields that differ, as they were; null for what was created.'),
  after: fields.describe(
    'The same as they are now; null for what was deleted. Of what was tested, what came of it. Secrets by their last characters; of a longer value its first 1,000 characters, then `… (of 4321 characters)`; of a larger change 100 fields, then one called `…` that says how many more there are.',
  ),
});

export type AuditEntryView = z.infer<typeof auditEntrySchema>;
