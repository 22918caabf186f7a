import { onTestFinished } from 'vitest';
import { LocalBus } from '../bus/local-bus.ts';
import { createLogger } from '../logger.ts';
import { EventBus } from '../events/event-bus.ts';
import type { SessionStore } from '../store/session-store.ts';

/** The bus of a process that is alone, and what its readers hear. */
export function localEvents(store: Pick<SessionStore, 'listSessionHeads'>): {
  bus: LocalBus;
  live: EventBus;
} {
  const bus = new LocalBus((error) => {
    throw error;
  });
  const live = new EventBus({ bus, store, logger: createLogger('silent') });
  onTestFinished(() => live.close());
  return { bus, live };
}
