import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Secrets } from '../../crypto/secrets.ts';
import type { Logger } from '../../logger.ts';
import type { Cors } from './cors.ts';
import { notedCaller } from '../request-caller.ts';
import { loggedPath } from './logged-path.ts';

interface RequestContextDeps {
  readonly cors: Cors;
  readonly logger: Logger;
  readonly secrets: Pick<Secrets, 'mac'>;
  readonly trustProxy: number;
  readonly https: boolean;
}

const maxListeners = 30;

/** Gives every request its id, the headers that every response carries, and its line in the log. */
export function requestContext({
  cors,
  logger,
  https,
  secrets,
  trustProxy,
}: RequestContextDeps): RequestHandler {
  let warned = trustProxy > 0;
  return (request, response, next) => {
    if (!warned && request.headers['x-forwarded-for'] !== undefined) {
      warned = true;
      logger.warn(
        'Requests carry X-Forwarded-For, but TRUST_PROXY is 0: all that a proxy passes on count as one address.',
      );
    }
    const startedAt = performance.now();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    response.setHeader('x-request-id', requestId);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('x-frame-options', 'DENY');
    if (https) response.setHeader('strict-transport-security', 'max-age=31536000');
    if (cors.covers(request.path)) response.setHeader('vary', 'Origin');
    const path = loggedPath(request.path, secrets);
    // Each part that holds something for a request lets go of it here; ten are no leak.
    response.setMaxListeners(maxListeners);
    response.once('close', () => {
      logger.info({
        requestId,
        method: request.method,
        path,
        ...notedCaller(response),
        status: response.statusCode,
        complete: response.writableFinished,
        durationMs: Math.round(performance.now() - startedAt),
      });
    });
    next();
  };
}
