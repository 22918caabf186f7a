import type { Clock } from '@parley/client/clock';
import type { FileStorage } from './outbox/file-storage.ts';

/** A `BroadcastChannel`, or something that carries plain JSON between the tabs of a visitor as it does. */
export type Channel = {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
};

/**
 * Where a conversation runs. What is absent is done without: nothing outlives the page, every tab reads for itself, the
 * device counts as online and the page as visible.
 */
export type Environment = {
  fetch?: typeof fetch;
  /** As `() => localStorage`; it and its calls may throw. */
  storage?: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** As `() => sessionStorage`. */
  tabStorage?: () => Pick<Storage, 'getItem' | 'setItem'>;
  /** Where the files of unsent messages outlive the page. */
  files?: FileStorage;
  /** As `(name) => new BroadcastChannel(name)`; it may throw. */
  openChannel?: (name: string) => Channel;
  /** As `navigator.locks`, which a page that is not served over HTTPS has not. */
  locks?: Pick<LockManager, 'request'> | undefined;
  clock?: Clock;
  /** When this page began, in milliseconds since 1970: what is older was there before. */
  startedAt?: number;
  /** Calls back before the page is drawn next, unless what it returns is called before. */
  nextFrame?: (callback: () => void) => () => void;
  /** Tells `online`, `offline`, `pagehide`, `visibilitychange` and `storage`, as a window does. */
  events?: Pick<EventTarget, 'addEventListener'>;
  isOnline?: () => boolean;
  isHidden?: () => boolean;
};
