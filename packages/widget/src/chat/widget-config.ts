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
  try {
    const response = await fetch(`${base}/v1/config?key=${encodeURIComponent(key)}`, { credentials: 'omit' });
    if (!response.ok) throw await answerError(response);
    const answer = (await response.json()) as Answer;
    if (answer.ok) return answer;
    throw new ParleyError(codes[answer.reason], answer.message);
  } catch (cause) {
    throw transportError(cause, undefined);
  }
}
