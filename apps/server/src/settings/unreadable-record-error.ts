import { ZodError } from 'zod';

/** A stored agent or tool that does not fit its schema, or whose secrets no listed base opens. Other records are readable. */
export class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError';

  constructor(kind: 'agent' | 'tool' | 'source' | 'connection' | 'webhook', id: string, cause: unknown) {
    super(`The ${kind} ${id} cannot be read as it is stored: ${reason(cause)}.`);
  }
}

function reason(cause: unknown): string {
  if (cause instanceof ZodError) {
    const [issue] = cause.issues;
    return issue === undefined
      ? 'it is not valid'
      : `${issue.path.join('.') || 'settings'}: ${issue.message}`;
  }
  return cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause);
}
