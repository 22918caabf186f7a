import { notValid } from '../parse.ts';
import { ProblemError } from '../problem.ts';

/** The record, or the one 404 of the settings API. */
export function found<T>(record: T | null): T {
  if (record === null) throw new ProblemError('NOT_FOUND', 'There is no such thing.');
  return record;
}

/** A reference in a body that leads nowhere. */
export function dangling(field: string): ProblemError {
  return notValid([{ path: [field], message: 'There is no such thing.' }]);
}
