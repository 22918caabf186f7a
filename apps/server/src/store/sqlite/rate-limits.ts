import type { DatabaseSync } from 'node:sqlite';
import type { Limited, RateLimit } from '../limit-store.ts';

export interface RateLimits {
  /** The rejection that takes longest to pass, or null when every scope has room. Writes nothing. */
  rejection(limits: readonly RateLimit[], now: number): Limited | null;
  record(limits: readonly RateLimit[], now: number): void;
}

/** A log of admissions per scope and window: one is possible when the `limit`-th latest has left the window. */
export function prepareRateLimits(connection: DatabaseSync): RateLimits {
  const nthLatest = connection.prepare(`
    SELECT at FROM admissions WHERE scope = ? AND window_ms = ? ORDER BY at DESC LIMIT 1 OFFSET ?`);
  // A clock that was set back must not lock anybody out for longer than the window.
  const bringBack = connection.prepare(`
    UPDATE admissions SET at = ?1, expires_at = ?1 + window_ms WHERE scope = ?2 AND window_ms = ?3 AND at > ?1`);
  const insert = connection.prepare(
    'INSERT INTO admissions (scope, window_ms, at, expires_at) VALUES (?, ?, ?, ?)',
  );
  const prune = connection.prepare(`
    DELETE FROM admissions WHERE key IN (SELECT key FROM admissions WHERE expires_at <= ? LIMIT 100)`);

  function waitFor({ scope, limit, windowMs }: RateLimit, now: number): number {
    if (limit <= 0) return windowMs;
    const latest = nthLatest.get(scope, windowMs, 0)?.['at'];
    if (Number(latest ?? now) > now) bringBack.run(now, scope, windowMs);
    const decisive = nthLatest.get(scope, windowMs, limit - 1)?.['at'];
    return decisive === undefined ? 0 : Math.max(0, Number(decisive) + windowMs - now);
  }

  return {
    rejection(limits, now) {
      let longest: Limited | null = null;
      for (const limit of limits) {
        const retryAfterMs = waitFor(limit, now);
        if (retryAfterMs > (longest?.retryAfterMs ?? 0)) {
          longest = {
            outcome: 'limited',
            scope: limit.scope,
            windowMs: limit.windowMs,
            retryAfterMs,
          };
        }
      }
      return longest;
    },
    record(limits, now) {
      if (limits.length === 0) return;
      prune.run(now);
      for (const { scope, windowMs } of limits) insert.run(scope, windowMs, now, now + windowMs);
    },
  };
}
