import type { ModelTestView } from '@parley/protocol/settings/model-test';
import type { AgentPatch } from '@parley/protocol/settings/agent';
import { causeSentence } from '../agent/model-cause.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';

/** Asks the provider for a word before its key is stored: visitors would be the first to find that it does not answer. Throws what is wrong, at the field of the key. */
export async function requireKey(agentId: string, model: NonNullable<AgentPatch['model']>): Promise<void> {
  const { cause } = await call<ModelTestView>('POST', `/agents/${agentId}/test-model`, { model });
  if (cause === undefined) return;
  const error = causeSentence(cause);
  throw new ApiError(400, { error, issues: [{ path: ['model', 'apiKey'], message: error }] });
}
