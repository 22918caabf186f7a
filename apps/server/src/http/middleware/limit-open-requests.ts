import type { RequestHandler } from 'express';
import { addressNetwork } from '../../limit/address.ts';
import { ProblemError } from '../problem.ts';

/** Bounds the requests of one client address that are open at once, where a proxy's connections carry them. */
export function limitOpenRequests(limit: number): RequestHandler {
  const open = new Map<string, number>();
  return (request, response, next) => {
    const address = addressNetwork(request.ip ?? '');
    const others = open.get(address) ?? 0;
    if (others >= limit) {
      throw new ProblemError(
        'QUOTA_EXCEEDED',
        `This address has ${limit} requests open, which is the limit. Close one of them.`,
        { retryAfter: 5 },
      );
    }
    open.set(address, others + 1);
    response.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    next();
  };
}
