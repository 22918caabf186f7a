import { z } from 'zod';

/** The stored state of a session that is none of any version: nothing of the session can be gone on with. */
export class UnreadableStateError extends Error {
  override readonly name = 'UnreadableStateError';

  constructor(cause: unknown) {
    super(`The state of the session cannot be read as it is stored: ${reason(cause)}.`);
  }
}

/** Where it differs, and no values: they are what a visitor said. */
function reason(cause: unknown): string {
  if (!(cause instanceof z.ZodError)) return String(cause);
  const [issue] = cause.issues;
  return issue === undefined ? 'it is not valid' : `${issue.path.join('.') || 'state'}: ${issue.message}`;
}
