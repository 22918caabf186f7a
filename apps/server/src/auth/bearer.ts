import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../http/problem.ts';

/** The credentials of the one `Authorization: Bearer` header, or null when there is none, several, or another scheme. */
export function bearer(request: IncomingMessage): string | null {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'authorization').length !== 1) return null;
  return /^bearer +([\w.~+/=-]{1,512})$/i.exec(request.headers.authorization?.trim() ?? '')?.[1] ?? null;
}

/** The same answer for a missing, malformed, unknown and revoked key, so that none can be told from another. */
export function unauthorized(): ProblemError {
  return new ProblemError('UNAUTHORIZED', 'A valid key is required: Authorization: Bearer <key>.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}
