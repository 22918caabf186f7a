import { setTimeout } from 'node:timers/promises';

/** What the promise resolves with, or `pending` when it takes longer. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'pending'> {
  const answered = new AbortController();
  try {
    return await Promise.race([
      promise,
      setTimeout(ms, 'pending' as const, { signal: answered.signal, ref: false }),
    ]);
  } finally {
    answered.abort();
  }
}
