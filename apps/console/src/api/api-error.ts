import type { Problem } from '@parley/protocol/problem';

/** What the service refused, in its own sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** By the path of the field, such as `widget.accent`: what is wrong with it. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.error ?? 'The service could not answer. Try again in a moment.');
    this.status = status;
    this.fields = Object.fromEntries(
      (problem.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
    );
  }
}

export const sentenceOf = (error: unknown): string =>
  error instanceof ApiError
    ? error.message
    : 'The service cannot be reached. Check the connection and try again.';
