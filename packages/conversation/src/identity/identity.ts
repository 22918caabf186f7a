import { signal } from '@preact/signals-core';
import type { ServiceClock } from '../service-clock.ts';

export type Identity = ReturnType<typeof createIdentity>;

/** Who speaks for the visitor: every request waits until that is known, and says it. */
export function createIdentity(clock: ServiceClock, send: typeof fetch = (...request) => fetch(...request)) {
  const identity = {
    /** What has to be known before anything is sent: who the visitor is. */
    ready: undefined as Promise<unknown> | undefined,
    /** Who the visitor is, as the page says; empty for nobody. */
    visitor: signal(''),
    /** How often a visitor was forgotten here. */
    forgotten: 0,
    anonymousFetch: send,
    /** A `fetch` that says who the visitor is. */
    authorizedFetch: undefined as typeof fetch | undefined,
    fetch: async (...request: Parameters<typeof fetch>) => {
      await identity.ready;
      const response = await (identity.authorizedFetch ?? send)(...request);
      clock.hear(response);
      return response;
    },
  };
  return identity;
}
