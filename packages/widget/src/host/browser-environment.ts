import type { Environment } from '@parley/conversation';
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
  locks: navigator.locks,
  startedAt: performance.timeOrigin,
  nextFrame: frame,
  events: globalThis,
  isOnline: () => navigator.onLine,
  isHidden: () => document.hidden,
});
