import { createHash, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { bearer, unauthorized } from './bearer.ts';

/** Generic, so that a route behind it keeps the types of its path's parameters. */
export type AdminGuard = <Params>(request: Request<Params>, response: Response, next: NextFunction) => void;

/** Lets a request pass that carries the admin token, compared in constant time. */
export function requireAdmin(adminToken: string): AdminGuard {
  const expected = digest(adminToken);
  return (request, _response, next) => {
    if (timingSafeEqual(digest(bearer(request) ?? ''), expected)) next();
    else next(unauthorized());
  };
}

const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
