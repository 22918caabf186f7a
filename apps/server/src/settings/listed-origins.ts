import type { Store } from '../store/store.ts';
import { allRecords } from './all-records.ts';
import type { SettingsChanges } from './changes.ts';
import { originListed } from './origin.ts';

/** Every origin that some publishable key lists: what a preflight, which carries no key, is judged by. */
export interface ListedOrigins {
  includes(origin: string): Promise<boolean>;
}

/** Another process may have listed an origin: a miss looks again, at most this often. */
const recheckMs = 1_000;

export function createListedOrigins(store: Store, changes: SettingsChanges): ListedOrigins {
  let loaded: { origins: Promise<ReadonlySet<string>>; at: number } | null = null;
  changes.subscribe(() => {
    loaded = null;
  });
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
