import type { IncomingMessage } from 'node:http';
import { ProblemError } from '../http/problem.ts';

/** The credentials of the one `Authorization: Bearer` header, or null when there is none, several, or another scheme. */
export function bearer(request: IncomingMessage): string | null {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'authorization').length !== 1) return null;
  return /^bearer +([\w.~+/=-]{1,512})$/i.exec(request.headers.authorization?.trim() ?? '')?.[1] ?? null;
}

/** What a route takes, by who may call it. */
const taken = {
  key: 'A valid key is required: Authorization: Bearer <key>.',
  settings:
    'The admin token is required: Authorization: Bearer <admin token>. It is ADMIN_TOKEN of the service, or in the file ending in .admin-token beside its database. In the console, sign in.',
  member: 'A member is required, who is signed in to the console.',
  metrics: 'The token of the metrics is required: Authorization: Bearer <METRICS_TOKEN>.',
} as const;

/** The same answer for a missing, malformed, unknown and revoked credential, so that none can be told from another. */
export function unauthorized(wanted: keyof typeof taken = 'key'): ProblemError {
  return new ProblemError('UNAUTHORIZED', taken[wanted], {
    headers: { 'www-authenticate': 'Bearer' },
  });
}
