import type { Issue, Problem, ProblemCode, Violation } from '@parley/protocol/problem';

/** `NETWORK`: no whole answer came. `ABORTED`: the caller's signal. `PROTOCOL`: the answer was not one of ours. */
export type ParleyErrorCode = ProblemCode | 'NETWORK' | 'ABORTED' | 'PROTOCOL';

type Details = {
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  issues?: readonly Issue[] | undefined;
  violations?: readonly Violation[] | undefined;
  notice?: string | undefined;
  cause?: unknown;
};

/** The one error this package throws. Its `cause`, of a `MODEL_FAILED` with a secret key: why the model could not answer. */
export class ParleyError extends Error {
  declare readonly code: ParleyErrorCode;
  /** Absent when there was no answer. */
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;
  /** Seconds. */
  declare readonly retryAfter: number | undefined;
  /** What is wrong with the request, of a `BAD_REQUEST`. */
  declare readonly issues: readonly Issue[] | undefined;
  /** Which files are not accepted, of a `TOO_LARGE` and an `UNSUPPORTED_MEDIA_TYPE`. */
  declare readonly violations: readonly Violation[] | undefined;
  /** What the tenant says to visitors, of an `AGENT_INACTIVE`. */
  declare readonly notice: string | undefined;

  constructor(code: ParleyErrorCode, message: string, { cause, ...details }: Details = {}) {
    super(message, { cause });
    Object.assign(this, { ...details, name: 'ParleyError', code, message });
  }
}

/** What a thrown value of `fetch`, or of reading its body, means. */
export const transportError = (cause: unknown, signal?: AbortSignal): ParleyError =>
  signal?.aborted
    ? new ParleyError('ABORTED', 'The request was aborted.', { cause })
    : new ParleyError('NETWORK', 'The connection failed.', { cause });

/** Seconds until the time of a `Retry-After` (RFC 9110, 10.2.3); of a date, by the clock of whoever names it where that is told. */
function secondsOf(headers: Headers): number {
  const after = headers.get('retry-after') ?? '';
  if (/^\d/.test(after)) return Number.parseInt(after, 10);
  return Math.ceil((Date.parse(after) - (Date.parse(headers.get('date') ?? '') || Date.now())) / 1_000);
}

/** What an answer with an error status means. Those of something in between, such as a proxy, are `PROTOCOL`. */
export async function answerError(response: Response): Promise<ParleyError> {
  const { status, headers } = response;
  const answer: Partial<Problem> | null = await response.json().catch(() => null);
  // What stands in between may answer with JSON of its own, whose `code` and `error` are something else.
  const problem = (answer?.ok === false && typeof answer.code === 'string' && answer) as Partial<Problem>;
  const { code = 'PROTOCOL', error = `The server answered ${status}.`, ...details } = problem;
  return new ParleyError(code, error, {
    requestId: headers.get('x-request-id') ?? undefined,
    ...details,
    retryAfter: [details.retryAfter, secondsOf(headers)].find((seconds) => seconds! > 0),
    status,
  });
}

/** Of answers after which the same request may succeed a while later. */
export const passingStatuses = new Set<number | undefined>([408, 425, 429, 502, 503, 504]);

/**
 * Whether the same request may be taken a while later: the network, something in between or a limit that ends was in
 * its way. A turn that failed or took too long is an answer.
 */
export const isPassing = ({ code, status, retryAfter }: ParleyError): boolean =>
  code === 'NETWORK' ||
  (code === 'QUOTA_EXCEEDED'
    ? retryAfter !== undefined
    : passingStatuses.has(status) && code !== 'MODEL_FAILED' && code !== 'TURN_TIMEOUT');

/** For texts that only our own server writes. */
export function parseJson<Value>(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (cause) {
    throw unexpectedAnswer(cause);
  }
}

export const unexpectedAnswer = (cause?: unknown) =>
  new ParleyError('PROTOCOL', 'The server sent an unexpected answer.', { cause });
