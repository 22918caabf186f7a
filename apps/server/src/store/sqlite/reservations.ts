import type { DatabaseSync } from 'node:sqlite';
import type { Meter, Quota } from '../store.ts';
import { prepareQuotas } from './quotas.ts';

interface SessionReservation extends Meter {
  readonly window: number;
  readonly amount: number;
}

export interface Reservations {
  /** Counts the amount, and notes that the session holds it. */
  reserve(session: number, reservation: Quota, now: number): void;
  /** Gives back what the session holds: all of it, or, where items wait that go on, what they have not reserved. */
  release(session: number, all: boolean): void;
  /** The counter without what the session itself holds. */
  used(session: number, meter: Meter, now: number): number;
}

/** Amounts that sessions reserve of a quota's counter, kept in the session's row so that no crash loses them. */
export function prepareReservations(connection: DatabaseSync): Reservations {
  const held = connection.prepare(`
    SELECT reserved AS amount, reserved_scope AS scope, reserved_window_ms AS windowMs, reserved_window AS window
    FROM sessions WHERE key = ? AND reserved > 0`);
  const hold = connection.prepare(`
    UPDATE sessions SET reserved = ?, reserved_scope = ?, reserved_window_ms = ?, reserved_window = ? WHERE key = ?`);
  const queued = connection.prepare(`
    SELECT coalesce(sum(reserved), 0) AS amount FROM queue WHERE session = ? AND accepted_at >= ?`);
  // Only the window that it was counted in: a later one knows nothing of it.
  const giveBack = connection.prepare(`
    UPDATE quotas SET used = max(0, used - ?) WHERE scope = ? AND window_ms = ? AND window = ?`);
  const quotas = prepareQuotas(connection);

  function heldBy(session: number): SessionReservation | undefined {
    return held.get(session) as unknown as SessionReservation | undefined;
  }

  /** What the session holds in this window; a window that is over holds nothing. */
  function current(session: number, now: number): SessionReservation | undefined {
    const row = heldBy(session);
    return row !== undefined && row.window === Math.floor(now / row.windowMs) ? row : undefined;
  }

  function keep(
    session: number,
    { scope, windowMs, window, amount }: SessionReservation,
    kept: number,
  ): void {
    hold.run(kept, scope, windowMs, window, session);
    giveBack.run(amount - kept, scope, windowMs, window);
  }

  return {
    reserve(session, { scope, windowMs, amount }, now) {
      const before = current(session, now);
      hold.run((before?.amount ?? 0) + amount, scope, windowMs, Math.floor(now / windowMs), session);
      quotas.record([{ scope, windowMs, amount }], now);
    },
    release(session, all) {
      const before = heldBy(session);
      if (before === undefined) return;
      const waiting = all ? 0 : Number(queued.get(session, before.window * before.windowMs)?.['amount']);
      keep(session, before, Math.min(before.amount, waiting));
    },
    used(session, meter, now) {
      const own = current(session, now);
      const isOwn = own !== undefined && own.scope === meter.scope && own.windowMs === meter.windowMs;
      return Math.max(0, quotas.used(meter, now) - (isOwn ? own.amount : 0));
    },
  };
}
