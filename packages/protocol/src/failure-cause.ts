import { z } from 'zod';

/** Why a model could not answer. */
export const failureCauseCodes = [
  'MODEL_KEY_REJECTED',
  'MODEL_NOT_FOUND',
  'MODEL_NOT_ALLOWED',
  'MODEL_MISCONFIGURED',
  'MODEL_UNREACHABLE',
  'MODEL_TIMED_OUT',
  'MODEL_RATE_LIMITED',
  'MODEL_REJECTED',
  'MODEL_MALFORMED',
  'CONTEXT_TOO_LONG',
] as const;

export const failureCauseSchema = z.object({
  code: z.enum(failureCauseCodes),
  message: z.string().describe('What to do about it, for whoever sets the agent up.'),
});
export type FailureCause = z.infer<typeof failureCauseSchema>;

/** `details` of `step.failed`, `turn.failed` and `session.failed`. */
export const failureDetailsSchema = z.object({ cause: failureCauseSchema.optional().catch(undefined) });
