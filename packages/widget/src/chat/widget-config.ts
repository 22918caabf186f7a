import { answerError, ParleyError, type ParleyErrorCode, transportError } from '@parley/client/error';
import type { WidgetConfig as Answer } from '@parley/protocol/widget-config';

type Refusal = Extract<Answer, { ok: false }>;
export type WidgetConfig = Extract<Answer, { ok: true }>;

const codes: Record<Refusal['reason'], ParleyErrorCode> = {
  'unknown-key': 'UNAUTHORIZED',
  'no-agent': 'NO_AGENT',
  'agent-inactive': 'AGENT_INACTIVE',
  'origin-not-allowed': 'ORIGIN_NOT_ALLOWED',
};

/** The public configuration. Throws a `ParleyError`, whose message tells a tenant what to mend. */
export async function loadConfig(base: string, key: string): Promise<WidgetConfig> {
  const answer = await fetchAnswer(`${base}/v1/config?key=${encodeURIComponent(key)}`);
  if (answer.ok) return answer;
  throw new ParleyError(codes[answer.reason], answer.message);
}

async function fetchAnswer(address: string): Promise<Answer> {
  const response = await fetch(address, { credentials: 'omit' }).catch((cause: unknown) => {
    throw transportError(cause, undefined);
  });
  if (!response.ok) throw await answerError(response);
  return (await response.json()) as Answer;
}
