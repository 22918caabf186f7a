import type { Health } from '@parley/protocol/health';
import { servicePatterns } from '@parley/protocol/paths';
import { Router } from 'express';
import type { Store } from '../store/store.ts';
import type { Lifecycle } from './lifecycle.ts';
import { ProblemError } from './problem.ts';

/** `/healthz`: the process answers. `/readyz`: it takes work and can store it. */
export function healthRoutes(deps: {
  readonly store: Pick<Store, 'ping'>;
  readonly lifecycle: Lifecycle;
}): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(servicePatterns.live, (_request, response) => {
    const health: Health = { ok: true, status: deps.lifecycle.draining ? 'draining' : 'running' };
    response.json(health);
  });
  router.get(servicePatterns.ready, async (_request, response) => {
    if (deps.lifecycle.draining)
      throw new ProblemError('UNAVAILABLE', 'The service is stopping.', { retryAfter: 5 });
    await deps.store.ping();
    const health: Health = { ok: true, status: 'ready' };
    response.json(health);
  });
  return router;
}
