import type { Response } from 'express';

/** The id under which the log and the answer know a request. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader('x-request-id'));
}
