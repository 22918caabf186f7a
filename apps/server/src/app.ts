import { randomUUID } from 'node:crypto';
import { problemStatus } from '@parley/protocol/problem';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express';
import { allowedMethods } from './http/allowed-methods.ts';
import type { Cors } from './http/cors.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { loggedPath } from './http/logged-path.ts';
import { limitOpenRequests } from './http/limit-open-requests.ts';
import { ProblemError, sendProblem, toProblem } from './http/problem.ts';
import type { Logger } from './log.ts';
import type { Secrets } from './secret/secrets.ts';

interface AppParts {
  readonly cors: Cors;
  readonly logger: Logger;
  readonly secrets: Pick<Secrets, 'mac'>;
  readonly lifecycle: Lifecycle;
  /** Hops of proxies whose `X-Forwarded-For` counts. */
  readonly trustProxy: number;
  /** Of one client address, where proxies stand in front. */
  readonly maxOpenRequests: number;
  /** Whether browsers reach the service over https only. */
  readonly https: boolean;
  readonly routers: readonly Router[];
}

/** What surrounds every route: request id, headers, log line, preflights, 404 and 405, and the one error shape. */
export function createApp(parts: AppParts): Express {
  const { cors, logger, lifecycle, routers } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', parts.trustProxy);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);

  app.use(opening(parts));
  if (parts.trustProxy > 0) app.use(limitOpenRequests(parts.maxOpenRequests));
  app.use(async (request, response, next) => {
    if (lifecycle.draining) {
      response.setHeader('connection', 'close');
      if (!/^\/(?:healthz|readyz)$/.test(request.path))
        throw new ProblemError('UNAVAILABLE', 'The service is stopping.', { retryAfter: 1 });
    }
    if (request.method !== 'OPTIONS') return next();
    const methods = allowedMethods(routers, request.path);
    if (methods.length === 0) throw notFound();
    if (cors.covers(request.path)) return await cors.preflight(request, response, methods);
    response.setHeader('allow', methods.join(', '));
    response.status(204).end();
  });
  for (const router of routers) app.use(router);
  app.use((request) => {
    const methods = allowedMethods(routers, request.path);
    if (methods.length === 0) throw notFound();
    throw new ProblemError('METHOD_NOT_ALLOWED', `${request.method} is not possible here.`, {
      headers: { allow: methods.join(', ') },
    });
  });
  app.use(failing(cors, logger));
  return app;
}

/** The id under which the log and the answer know a request. */
export function requestIdOf(response: express.Response): string {
  return String(response.getHeader('x-request-id'));
}

function opening({ cors, logger, https, secrets, trustProxy }: AppParts): RequestHandler {
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
    response.once('close', () => {
      logger.info({
        requestId,
        method: request.method,
        path,
        status: response.statusCode,
        complete: response.writableFinished,
        durationMs: Math.round(performance.now() - startedAt),
      });
    });
    next();
  };
}

function failing(cors: Cors, logger: Logger): ErrorRequestHandler {
  return async (error: unknown, request, response, _next) => {
    const requestId = requestIdOf(response);
    const problem = toProblem(error);
    if (problemStatus[problem.code] >= 500) logger.error({ requestId, err: error }, 'The request failed.');
    if (response.headersSent) {
      // The caller must see that the answer is not whole.
      response.destroy();
      return;
    }
    if (cors.covers(request.path)) {
      try {
        await cors.explain(request, response);
      } catch (second) {
        logger.error({ requestId, err: second }, 'The origin of a failed request could not be judged.');
      }
    }
    sendProblem(response, problem, requestId);
  };
}

function notFound(): ProblemError {
  return new ProblemError('NOT_FOUND', 'There is nothing at this path.');
}
