import { ModelError } from '../model/model-error.ts';
import type { Failure } from './finish-turn.ts';
import { modelFailureCause } from '../model/model-failure-cause.ts';
import { TokensUsedUpError } from './token-budget.ts';
import type { Interruption } from './turn-interrupted-error.ts';

/** What the visitor is told of a turn that failed. */
export function turnFailure(reason: Interruption | null, error: unknown): Failure {
  if (reason === 'timed-out')
    return { code: 'TURN_TIMEOUT', message: 'The answer took too long and was stopped.' };
  if (error instanceof TokensUsedUpError)
    return {
      code: 'QUOTA_EXCEEDED',
      message: 'The assistant has reached its limit for today. Please try again tomorrow.',
    };
  if (error instanceof ModelError) {
    const message = 'The assistant could not answer. Please try again.';
    return { code: 'MODEL_CALL_FAILED', message, cause: modelFailureCause(error) };
  }
  return { code: 'INTERNAL', message: 'Something went wrong on our side. Please try again.' };
}
