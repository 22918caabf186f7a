import type { DatabaseSync } from 'node:sqlite';
import type { Meter, Quota } from '../limit-store.ts';
import { prepareQuotas } from './quotas.ts';

/** What a session's row says that it holds. */
export interface SessionReservation extends Meter {
  readonly window: number;
  readonly amount: number;
}

/** The columns of a session's row that make a `SessionReservation`. */
export const reservationColumns = `
  reserved AS amount, reserved_scope AS scope, reserved_window_ms AS windowMs, reserved_window AS window`;

type Amount = Omit<Quota, 'limit'>;

interface Settlement {
  readonly released: boolean;
  readonly now: number;
}

export interface Reservations {
  /** Gives back all that the session holds. */
  release(session: number): void;
  /**
   * Counts what was used, and gives back what the session held: all of it, where `released` says that its row has let go
   * of it, or else what the items that wait have not reserved. The answer is what it holds then.
   */
  settle(
    session: number,
    held: SessionReservation,
    spend: readonly Amount[],
    when: Settlement,
  ): SessionReservation;
  /** What the session holds. */
  heldBy(session: number): SessionReservation | undefined;
  /** The counter without what the session itself holds. */
  used(held: SessionReservation | undefined, meter: Meter, now: number): number;
}

/** Amounts that sessions reserve of a quota's counter, kept in the session's row so that no crash loses them. */
export function prepareReservations(connection: DatabaseSync): Reservations {
  const held = connection.prepare(
    `SELECT ${reservationColumns} FROM sessions WHERE key = ? AND reserved > 0`,
  );
  const hold = connection.prepare('UPDATE sessions SET reserved = ? WHERE key = ?');
  const queued = connection.prepare(`
    SELECT coalesce(sum(reserved), 0) AS amount FROM queue WHERE session = ? AND accepted_at >= ?`);
  // Only the window that it was counted in: a later one knows nothing of it.
  const giveBack = connection.prepare(`
    UPDATE quotas SET used = max(0, used - ?) WHERE scope = ? AND window_ms = ? AND window = ?`);
  const quotas = prepareQuotas(connection);

  function heldBy(session: number): SessionReservation | undefined {
    return held.get(session) as unknown as SessionReservation | undefined;
  }

  return {
    heldBy,
    release(session) {
      const row = heldBy(session);
      if (row === undefined) return;
      hold.run(0, session);
      giveBack.run(row.amount, row.scope, row.windowMs, row.window);
    },
    settle(session, held, spend, { released, now }) {
      const { amount, scope, windowMs, window } = held;
      if (amount === 0) {
        quotas.record(spend, now);
        return held;
      }
      const waiting = released ? 0 : Number(queued.get(session, window * windowMs)?.['amount']);
      const kept = Math.min(amount, waiting);
      if (!released) hold.run(kept, session);
      // The counter that it was reserved of is most often the one that was used: both are one update.
      const same = (each: Amount) =>
        each.scope === scope && each.windowMs === windowMs && Math.floor(now / windowMs) === window;
      const used = spend.filter(same).reduce((sum, each) => sum + each.amount, 0);
      giveBack.run(amount - kept - used, scope, windowMs, window);
      const others = spend.filter((each) => !same(each));
      if (others.length > 0) quotas.record(others, now);
      return { ...held, amount: kept };
    },
    used(own, meter, now) {
      const isOwn =
        own !== undefined &&
        own.amount > 0 &&
        own.scope === meter.scope &&
        own.windowMs === meter.windowMs &&
        own.window === Math.floor(now / own.windowMs);
      return Math.max(0, quotas.used(meter, now) - (isOwn ? own.amount : 0));
    },
  };
}
