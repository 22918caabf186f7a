import { maxAcceptLength } from '@parley/protocol/bounds';
import type { Request } from 'express';
import { ProblemError } from '../problem.ts';

/** A longer `Accept` is refused before anything takes it apart. */
export function rejectLongAccept(request: Request): void {
  const { accept = '' } = request.headers;
  if (accept.length > maxAcceptLength)
    throw new ProblemError('NOT_ACCEPTABLE', `Expected Accept to have at most ${maxAcceptLength} bytes.`);
}
