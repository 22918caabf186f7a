import { z } from 'zod';
import { failureCauseSchema } from '../failure-cause.ts';
import { modelPatchSchema, reasoningSchema } from './model.ts';

export const modelTestSchema = z.strictObject({
  model: modelPatchSchema
    .describe('Tried in place of the stored one, and not stored. A credential left out is the stored one.')
    .optional(),
  reasoning: reasoningSchema
    .describe('Tried in place of the stored one, and not stored. Left out: as it is stored.')
    .optional(),
});

export const modelTestViewSchema = z.strictObject({
  status: z.enum(['completed', 'failed']),
  durationMs: z.number().nonnegative().describe('Until it began to answer, or had failed.'),
  cause: failureCauseSchema.optional(),
});

/** Of a request, whose defaults nobody has to send. */
export type ModelTest = z.input<typeof modelTestSchema>;
export type ModelTestView = z.infer<typeof modelTestViewSchema>;
