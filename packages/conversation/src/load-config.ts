import { readObject } from '@parley/client/connection';
import { answerError, ParleyError, type ParleyErrorCode, transportError } from '@parley/client/error';
import type { WidgetConfig as Answer } from '@parley/protocol/widget-config';

/** Milliseconds for the whole answer. */
const longestWait = 30_000;

type Refusal = Extract<Answer, { ok: false }>;
export type WidgetConfig = Extract<Answer, { ok: true }>;

type InCapitals<Words extends string> = Words extends `${infer First}-${infer Rest}`
  ? `${Uppercase<First>}_${InCapitals<Rest>}`
  : Uppercase<Words>;

const inCapitals = <Words extends string>(words: Words) =>
  words.toUpperCase().replaceAll('-', '_') as InCapitals<Words>;

const codeOf = (reason: Refusal['reason']): ParleyErrorCode =>
  reason === 'unknown-key' ? 'UNAUTHORIZED' : inCapitals(reason);

/**
 * The public configuration. Throws a `ParleyError`, whose message tells a tenant what to mend. The session is named since
 * a person may answer in it while the agent is switched off.
 */
export async function loadConfig(
  send: typeof fetch,
  base: string,
  key: string,
  session = '',
): Promise<WidgetConfig> {
  const query = new URLSearchParams({ key, ...(session && { session }) });
  const answer = await fetchAnswer(send, `${base}/v1/config?${query}`);
  if (answer.ok) return answer;
  throw new ParleyError(codeOf(answer.reason), answer.message, { notice: answer.notice });
}

async function fetchAnswer(send: typeof fetch, address: string): Promise<Answer> {
  const signal = AbortSignal.timeout(longestWait);
  const response = await send(address, { credentials: 'omit', signal }).catch((cause: unknown) => {
    throw transportError(cause);
  });
  if (!response.ok) throw await answerError(response);
  return (await readObject(response)) as Answer;
}
