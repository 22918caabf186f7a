import type { Health } from '@parley/protocol/health';
import type { Store } from '../store/store.ts';
import type { Handlers } from './handlers.ts';
import type { Lifecycle } from './lifecycle.ts';
import { unbuiltProblem } from '../unbuilt.ts';
import { ProblemError } from './problem.ts';

/** `/healthz`: the process answers. `/readyz`: it takes work and can store it. */
export function healthHandlers(deps: {
  readonly store: Pick<Store, 'ping'>;
  readonly lifecycle: Lifecycle;
  /** What of the service's pages has not been built. */
  readonly listUnbuilt: () => readonly { readonly what: string }[];
}): Handlers<'live' | 'ready'> {
  /** A probe is a write, and the path needs no credential: one is under way at a time, however many ask. */
  let probe: Promise<void> | null = null;
  const probed = (): Promise<void> =>
    (probe ??= deps.store.ping().finally(() => {
      probe = null;
    }));
  return {
    live({ response }) {
      const health: Health = { ok: true, status: deps.lifecycle.draining ? 'draining' : 'running' };
      response.json(health);
    },
    async ready({ response }) {
      if (deps.lifecycle.draining)
        throw new ProblemError('UNAVAILABLE', 'The service is stopping.', { retryAfter: 5 });
      await probed();
      const missing = deps.listUnbuilt();
      if (missing.length > 0)
        throw new ProblemError('UNAVAILABLE', unbuiltProblem(missing), { retryAfter: 5 });
      const health: Health = { ok: true, status: 'ready' };
      response.json(health);
    },
  };
}
