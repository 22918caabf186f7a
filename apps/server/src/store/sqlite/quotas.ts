import type { DatabaseSync } from 'node:sqlite';
import type { Limited, Meter, Quota } from '../limit-store.ts';

export interface Quotas {
  /** The rejection that takes longest to pass, or null when every quota has room. Writes nothing. */
  rejection(quotas: readonly Quota[], now: number): Limited | null;
  record(amounts: readonly Omit<Quota, 'limit'>[], now: number): void;
  used(meter: Meter, now: number): number;
}

/** One counter per scope and window length; a row whose window is over counts as empty. */
export function prepareQuotas(connection: DatabaseSync): Quotas {
  const counter = connection.prepare(
    'SELECT used FROM quotas WHERE scope = ? AND window_ms = ? AND window = ?',
  );
  const add = connection.prepare(`
    INSERT INTO quotas (scope, window_ms, window, used) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET window = excluded.window,
      used = CASE WHEN window = excluded.window THEN used + excluded.used ELSE excluded.used END
    RETURNING used`);
  const prune = connection.prepare(`
    DELETE FROM quotas WHERE rowid IN (SELECT rowid FROM quotas WHERE (window + 1) * window_ms <= ? LIMIT 20)`);

  function read({ scope, windowMs }: Meter, now: number): number | undefined {
    const row = counter.get(scope, windowMs, Math.floor(now / windowMs));
    return row === undefined ? undefined : Number(row['used']);
  }

  return {
    rejection(quotas, now) {
      let longest: Limited | null = null;
      for (const quota of quotas) {
        if ((read(quota, now) ?? 0) < quota.limit) continue;
        const { scope, windowMs } = quota;
        const retryAfterMs = (Math.floor(now / windowMs) + 1) * windowMs - now;
        if (retryAfterMs > (longest?.retryAfterMs ?? 0))
          longest = { outcome: 'limited', scope, windowMs, retryAfterMs };
      }
      return longest;
    },
    record(amounts, now) {
      let opened = false;
      for (const { scope, windowMs, amount } of amounts) {
        const row = add.get(scope, windowMs, Math.floor(now / windowMs), amount);
        if (row?.['used'] === amount) opened = true;
      }
      if (opened) prune.run(now);
    },
    used: (meter, now) => read(meter, now) ?? 0,
  };
}
