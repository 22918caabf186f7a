import { idempotencyKeyHeader } from '@parley/protocol/paths';
import type { Request } from 'express';
import type { Repeatable } from '../session/sessions.ts';
import { refuseDeepNesting } from './body.ts';
import { ProblemError } from './problem.ts';

/** The request as something that may be sent twice, or null when it carries no `Idempotency-Key`. */
export function repeatable(
  request: Request,
  caller: string,
  route: string,
  body: unknown,
): Repeatable | null {
  const key = request.headers[idempotencyKeyHeader];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ProblemError('BAD_REQUEST', 'Expected Idempotency-Key to be 1-255 visible ASCII characters.');
  }
  refuseDeepNesting(body);
  return { caller, route, key, body };
}
