import type { Issue, Problem, ProblemCode } from '@parley/protocol/problem';

/** `NETWORK`: no whole answer came. `ABORTED`: the caller's signal. `PROTOCOL`: the answer was not one of ours. */
export type ParleyErrorCode = ProblemCode | 'NETWORK' | 'ABORTED' | 'PROTOCOL';

type Details = {
  status?: number;
  requestId?: string;
  /** Seconds. */
  retryAfter?: number;
  issues?: readonly Issue[];
  cause?: unknown;
};

/** The one error this package throws. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  readonly code: ParleyErrorCode;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly issues: readonly Issue[];

  constructor(code: ParleyErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.issues = details.issues ?? [];
  }
}

/** What a thrown value of `fetch`, or of reading its body, means. */
export function transportError(cause: unknown, signal: AbortSignal | undefined): ParleyError {
  if (cause instanceof ParleyError) return cause;
  return signal?.aborted
    ? new ParleyError('ABORTED', 'The request was aborted.', { cause })
    : new ParleyError('NETWORK', 'The connection failed.', { cause });
}

/** What an answer with an error status means. Answers of something in between (a proxy) are `PROTOCOL`. */
export async function answerError(response: Response): Promise<ParleyError> {
  const { status, headers } = response;
  const problem: Partial<Problem> = await response.json().then(
    (body: unknown) => (typeof body === 'object' && body !== null ? body : {}),
    () => ({}),
  );
  const requestId = problem.requestId ?? headers.get('x-request-id');
  const seconds = problem.retryAfter ?? Number.parseInt(headers.get('retry-after') ?? '', 10);
  return new ParleyError(problem.code ?? 'PROTOCOL', problem.error ?? `The server answered ${status}.`, {
    status,
    ...(requestId && { requestId }),
    ...(Number.isFinite(seconds) && { retryAfter: seconds }),
    ...(problem.issues && { issues: problem.issues }),
  });
}
