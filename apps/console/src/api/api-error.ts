import type { Problem } from '@parley/protocol/problem';

/** What the service refused, in its own sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Null: not the service has answered. */
  readonly code: Problem['code'] | null;
  /** By the path of the field, such as `widget.accent`: what is wrong with it. */
  readonly fields: Readonly<Record<string, string>>;

  /** Nothing is wrong with what was asked for: whoever signs in again may ask for it once more. */
  readonly hasSessionEnded: boolean;

  constructor(status: number, problem: Partial<Problem>, hasSessionEnded = false) {
    super(problem.error ?? 'The service could not answer. Try again in a moment.');
    this.status = status;
    this.hasSessionEnded = hasSessionEnded;
    this.code = problem.code ?? null;
    this.fields = Object.fromEntries(
      (problem.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
    );
  }
}

/** Empty where the session has ended, which is said at the door and not true any more behind it. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiError))
    return 'The service cannot be reached. Check the connection and try again.';
  return error.hasSessionEnded ? '' : error.message;
}
