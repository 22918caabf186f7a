import { z } from 'zod';
import { failureCauseSchema } from '../failure-cause.ts';
import { modelPatchSchema } from './model.ts';

export const modelTestSchema = z.strictObject({
  model: modelPatchSchema
    .describe('Tried in place of the stored one, and not stored. A credential left out is the stored one.')
    .optional(),
});

export const modelTestViewSchema = z.strictObject({
  status: z.enum(['completed', 'failed']),
  durationMs: z.number().nonnegative().describe('Until it began to answer, or had failed.'),
  cause: failureCauseSchema.optional(),
});

export type ModelTestView = z.infer<typeof modelTestViewSchema>;
