import type { Channel, Environment } from '../src/environment.ts';
import { createBrowser } from './start-conversation.ts';

type Work = (lock: Lock | null) => unknown;
type Waiting = { grant: () => void };

/** Locks as a browser has them: one holder for each name, the next in the order of asking, and who steals at once. */
function createLocks(): Pick<LockManager, 'request'> {
  const held = new Map<string, (reason: unknown) => void>();
  const queues = new Map<string, Waiting[]>();
  const aborted = () => new DOMException('Aborted.', 'AbortError');
  const queueOf = (name: string) => queues.get(name) ?? queues.set(name, []).get(name)!;
  const request = (name: string, ...rest: [Work] | [LockOptions, Work]): Promise<unknown> => {
    const [options, work] = rest.length === 1 ? [{} as LockOptions, rest[0]] : rest;
    return new Promise((resolve, reject) => {
      const waiting = {
        grant() {
          held.set(name, reject);
          const release = () => {
            if (held.get(name) !== reject) return;
            held.delete(name);
            queueOf(name).shift()?.grant();
          };
          void Promise.resolve()
            .then(() => work({ name, mode: 'exclusive' }))
            .finally(release)
            .then(resolve, reject);
        },
      };
      if (options.steal) {
        held.get(name)?.(aborted());
        waiting.grant();
      } else if (held.has(name)) {
        queueOf(name).push(waiting);
        options.signal?.addEventListener('abort', () => {
          const position = queueOf(name).indexOf(waiting);
          if (position === -1) return;
          queueOf(name).splice(position, 1);
          reject(aborted());
        });
      } else waiting.grant();
    });
  };
  // The browser's has more overloads than a conversation uses.
  return { request: request as LockManager['request'] };
}

/** Tabs of one visitor: they share a storage, channels and locks. */
export function createTabs() {
  const browser = createBrowser();
  const locks = createLocks();
  const listening = new Map<string, Set<{ channel: Channel; tab: { isFrozen: boolean } }>>();
  return {
    ...browser,
    openTab() {
      const tab = { isFrozen: false };
      const openChannel = (name: string): Channel => {
        const all = listening.get(name) ?? new Set();
        listening.set(name, all);
        const channel: Channel = {
          onmessage: null,
          postMessage(message) {
            if (tab.isFrozen) return;
            for (const each of all)
              if (each.channel !== channel)
                queueMicrotask(() => {
                  if (!each.tab.isFrozen) each.channel.onmessage?.({ data: message } as MessageEvent);
                });
          },
          close: () => void all.delete(entry),
        };
        const entry = { channel, tab };
        all.add(entry);
        return channel;
      };
      const environment: Environment = { ...browser.environment, locks, openChannel };
      return {
        ...browser,
        environment,
        /** It neither hears the others nor says anything any more. */
        freeze: () => void (tab.isFrozen = true),
      };
    },
  };
}
