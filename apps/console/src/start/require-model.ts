import type { FailureCause } from '@parley/protocol/failure-cause';
import type { ModelTestView } from '@parley/protocol/settings/model-test';
import type { AgentPatch } from '@parley/protocol/settings/agent';
import { causeSentence } from '../agent/model-cause.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';

type Model = NonNullable<AgentPatch['model']>;

/** Asks the model for a word before it is stored: visitors would be the first to find that it does not answer. Throws what is wrong, at its field. */
export async function requireModel(agentId: string, model: Model): Promise<void> {
  const { cause } = await call<ModelTestView>('POST', `/agents/${agentId}/test-model`, { model });
  if (cause === undefined) return;
  const error = causeSentence(cause);
  throw new ApiError(400, { error, issues: [{ path: ['model', fieldOf(cause, model)], message: error }] });
}

function fieldOf({ code }: FailureCause, { provider }: Model): string {
  if (code === 'MODEL_NOT_FOUND' || code === 'MODEL_REJECTED') return 'model';
  const isAddress = code === 'MODEL_UNREACHABLE' || code === 'MODEL_TIMED_OUT' || code === 'MODEL_MALFORMED';
  return isAddress && provider === 'openai-compatible' ? 'baseUrl' : 'apiKey';
}
