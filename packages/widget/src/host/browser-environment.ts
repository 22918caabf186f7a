import type { Environment } from '@parley/conversation';
import { findLocks } from './find-locks.ts';
import { storedFiles } from './stored-files.ts';

const frame = (callback: () => void) => {
  const request = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(request);
};

/** Where a widget's conversation runs: a page. */
export const browserEnvironment = (): Environment => ({
  storage: () => localStorage,
  tabStorage: () => sessionStorage,
  files: storedFiles,
  openChannel: (name) => new BroadcastChannel(name),
  locks: findLocks(),
  startedAt: performance.timeOrigin,
  nextFrame: frame,
  events: globalThis,
  isOnline: () => navigator.onLine,
  isHidden: () => document.hidden,
});
