import { setImmediate } from 'node:timers/promises';

let previous: Promise<void> = Promise.resolve();

/**
 * Resolves in a task of its own, for one caller in each round of the event loop: however many readers page through
 * logs at once, everybody else's requests run between any two of their pages.
 */
export function nextPageTask(): Promise<void> {
  previous = previous.then(() => setImmediate());
  return previous;
}
