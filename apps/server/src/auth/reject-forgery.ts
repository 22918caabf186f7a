import { consoleHeader } from '@parley/protocol/paths';
import type { Request } from 'express';
import { ProblemError } from '../http/problem.ts';

/**
 * Throws 403 for a request that a page of another origin may have made a browser send: what the browser says of where
 * it comes from, and a header that only a page of this origin can add.
 */
export function rejectForgery({ headers }: Request, ownOrigins: ReadonlySet<string>): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwn =
    site === undefined
      ? origin === undefined || ownOrigins.has(origin)
      : site === 'same-origin' || site === 'none';
  if (!isOwn || headers[consoleHeader] !== '1')
    throw new ProblemError('FORBIDDEN', `This is for pages of the console, which send ${consoleHeader}: 1.`);
}
