import express, { type Express, type Router } from 'express';
import { allowedMethods } from './middleware/allowed-methods.ts';
import type { Cors } from './middleware/cors.ts';
import { errorHandler } from './middleware/error-handler.ts';
import { requestContext } from './middleware/request-context.ts';
import type { Lifecycle } from './lifecycle.ts';
import { limitOpenRequests } from './middleware/limit-open-requests.ts';
import { ProblemError } from './problem.ts';
import type { Logger } from '../logger.ts';
import type { Secrets } from '../crypto/secrets.ts';

interface AppDeps {
  readonly cors: Cors;
  readonly logger: Logger;
  readonly secrets: Pick<Secrets, 'mac'>;
  readonly lifecycle: Lifecycle;
  /** Nothing is served but whether the process is well, and what it counts. */
  readonly healthOnly: boolean;
  /** Hops of proxies whose `X-Forwarded-For` counts. */
  readonly trustProxy: number;
  /** Of one client address, where proxies stand in front. */
  readonly maxOpenRequests: number;
  /** Whether browsers reach the service over https only. */
  readonly https: boolean;
  readonly router: Router;
}

/** What surrounds every route: request id, headers, log line, preflights, 404 and 405, and the one error shape. */
export function createApp(deps: AppDeps): Express {
  const { cors, logger, lifecycle, router } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', deps.trustProxy);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);

  app.use(requestContext(deps));
  if (deps.trustProxy > 0) app.use(limitOpenRequests(deps.maxOpenRequests));
  app.use(async (request, response, next) => {
    const asksForHealth = /^\/(?:healthz|readyz|metrics)$/.test(request.path);
    if (deps.healthOnly && !asksForHealth) throw notFound();
    if (lifecycle.draining) {
      response.setHeader('connection', 'close');
      if (!asksForHealth)
        throw new ProblemError('UNAVAILABLE', 'The service is stopping.', { retryAfter: 1 });
    }
    if (request.method !== 'OPTIONS') return next();
    const methods = allowedMethods(router, request.path);
    if (methods.length === 0) throw notFound();
    if (cors.covers(request.path)) return await cors.preflight(request, response, methods);
    response.setHeader('allow', methods.join(', '));
    response.status(204).end();
  });
  app.use(router);
  app.use((request, response) => {
    const methods = allowedMethods(router, request.path);
    const [page] = /^\/(?:docs(?:\/[^/]+)?|console)(?=\/$)/.exec(request.path) ?? [];
    if (methods.length === 0 && page !== undefined) return response.redirect(308, page);
    if (methods.length === 0) throw notFound();
    throw new ProblemError('METHOD_NOT_ALLOWED', `${request.method} is not possible here.`, {
      headers: { allow: methods.join(', ') },
    });
  });
  app.use(errorHandler(cors, logger));
  return app;
}

function notFound(): ProblemError {
  return new ProblemError('NOT_FOUND', 'There is nothing at this path.');
}
