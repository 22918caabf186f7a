import { dayMs } from '../store/day-ms.ts';
import type { AgentSettings } from '@parley/protocol/settings/agent';
import type { MessageInput } from '../session/message-input.ts';
import { readState } from '../session/state/read-state.ts';
import type { Meter, Quota } from '../store/limit-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import { textTokens } from './text-tokens.ts';

/** Output tokens that are reserved for an agent without `maxOutputTokens`: few answers are longer. */
const usualOutputTokens = 1_000;

interface TokenUser {
  readonly id: string;
  readonly settings: Pick<AgentSettings, 'instructions' | 'limits' | 'maxOutputTokens' | 'fallback'>;
}

/** The counter of what an agent uses in a day (UTC). */
export function tokenMeter(agentId: string): Meter {
  return { scope: `tokens:agent:${agentId}`, windowMs: dayMs };
}

/**
 * What one model call is taken to use, reserved when the message is accepted: the prompt of the last call, where there
 * was one, what comes in now, and an answer. Whatever is reserved, a turn is accepted as long as the counter is below
 * the limit; so a small limit lets one turn in at a time.
 */
export function tokenReservation(
  { id, settings }: TokenUser,
  input: Pick<
    MessageInput,
    'message' | 'context' | 'clientTools' | 'outputSchema' | 'responses' | 'results'
  > | null,
  session: SessionRecord | null,
): Quota {
  const known = input && {
    text: input.message?.text,
    context: input.context,
    clientTools: input.clientTools,
    outputSchema: input.outputSchema,
    responses: input.responses,
    results: input.results,
  };
  const before = (session && readState(session).promptTokens) ?? textTokens(settings.instructions);
  const amount =
    before +
    (known ? textTokens(JSON.stringify(known)) : 0) +
    (settings.maxOutputTokens ?? usualOutputTokens);
  // A person answers: the model is not called, however few tokens are left.
  if (input && session && readState(session).hold !== null)
    return { ...tokenMeter(id), limit: Number.MAX_SAFE_INTEGER, amount: 0 };
  // Without tokens the fallback answers: the turn asks the counter itself.
  const limit = settings.fallback ? Number.MAX_SAFE_INTEGER : settings.limits.tokensPerDay;
  return { ...tokenMeter(id), limit, amount };
}
