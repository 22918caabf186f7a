import type { Bus } from '../bus/bus.ts';
import type { Store } from '../store/store.ts';
import { allRecords } from '../settings/all-records.ts';
import { originListed } from './origins.ts';

/** Every origin that some publishable key lists: what a preflight, which carries no key, is judged by. */
export interface ListedOrigins {
  includes(origin: string): Promise<boolean>;
}

/** The message that a key changed may be lost: a miss looks again, at most this often. */
const recheckMs = 1_000;

export function createListedOrigins(store: Store, bus: Pick<Bus, 'subscribe' | 'onGap'>): ListedOrigins {
  let loaded: { origins: Promise<ReadonlySet<string>>; at: number } | null = null;
  const forget = () => {
    loaded = null;
  };
  bus.subscribe('settingsChanged', ({ kind }) => {
    if (kind === 'key') forget();
  });
  bus.onGap(forget);
  const load = async (): Promise<ReadonlySet<string>> => {
    const origins = new Set<string>();
    for await (const key of allRecords(store.settings.keys, { kind: 'publishable' })) {
      for (const origin of key.allowedOrigins) origins.add(origin);
    }
    return origins;
  };
  const fresh = (): Promise<ReadonlySet<string>> => {
    const started = { origins: load(), at: performance.now() };
    loaded = started;
    started.origins.catch(() => {
      if (loaded === started) loaded = null;
    });
    return started.origins;
  };

  return {
    async includes(origin) {
      if (loaded !== null && originListed(origin, await loaded.origins)) return true;
      if (loaded !== null && performance.now() - loaded.at < recheckMs) return false;
      return originListed(origin, await fresh());
    },
  };
}
