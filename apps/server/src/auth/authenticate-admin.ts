import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { bearer, unauthorized } from './bearer.ts';
import type { AdminPrincipal } from './principal.ts';

const admin: AdminPrincipal = { kind: 'admin' };
const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Throws 401 unless the request carries the admin token, compared in constant time. */
export function adminAuthenticator(adminToken: string): (request: Request) => AdminPrincipal {
  const expected = digest(adminToken);
  return (request) => {
    if (timingSafeEqual(digest(bearer(request) ?? ''), expected)) return admin;
    throw unauthorized('settings');
  };
}
