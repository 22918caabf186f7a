import type { DatabaseSync } from 'node:sqlite';
import type { Accepted, Quota } from '../store.ts';

export interface Quotas {
  /** The refusal that takes longest to pass, or null when every quota has room. Writes nothing. */
  refusal(quotas: readonly Quota[], now: number): Extract<Accepted, { outcome: 'limited' }> | null;
  record(quotas: readonly Omit<Quota, 'limit'>[], now: number): void;
}

/** One counter per scope and window length; a row whose window is over counts as empty. */
export function prepareQuotas(connection: DatabaseSync): Quotas {
  const used = connection.prepare('SELECT used FROM quotas WHERE scope = ? AND window_ms = ? AND window = ?');
  const add = connection.prepare(`
    INSERT INTO quotas (scope, window_ms, window, used) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET window = excluded.window,
      used = CASE WHEN window = excluded.window THEN used + excluded.used ELSE excluded.used END`);
  const prune = connection.prepare(`
    DELETE FROM quotas WHERE rowid IN (SELECT rowid FROM quotas WHERE (window + 1) * window_ms <= ? LIMIT 10)`);

  return {
    refusal(quotas, now) {
      let longest: Extract<Accepted, { outcome: 'limited' }> | null = null;
      for (const { scope, limit, windowMs } of quotas) {
        const window = Math.floor(now / windowMs);
        if (Number(used.get(scope, windowMs, window)?.['used'] ?? 0) < limit) continue;
        const retryAfterMs = (window + 1) * windowMs - now;
        if (retryAfterMs > (longest?.retryAfterMs ?? 0))
          longest = { outcome: 'limited', scope, retryAfterMs };
      }
      return longest;
    },
    record(quotas, now) {
      let opened = false;
      for (const { scope, windowMs, amount } of quotas) {
        const window = Math.floor(now / windowMs);
        opened ||= used.get(scope, windowMs, window) === undefined;
        add.run(scope, windowMs, window, amount);
      }
      if (opened) prune.run(now);
    },
  };
}
