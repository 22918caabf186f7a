import { randomUUID } from 'node:crypto';
import type { LeaseStore } from '../lease-store.ts';
import { StoreUnavailableError } from '../store-error.ts';
import { clockValue } from './clock.ts';
import type { Database } from './database.ts';
import { giveBackFunction } from './reservations.ts';
import { sqlFunction } from './sql-function.ts';

/** How long a request may still take effect in the server after its connection was lost, and longer. */
const uncertainMs = 60_000;

/** `LeaseStore.releaseLease`: the session's row is locked before the look at what waits for it, so that nothing is missed. */
export const releaseFunction = sqlFunction(
  'release_lease',
  `CREATE FUNCTION $name(p_session text, p_epoch bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE v_session sessions;
  BEGIN
    SELECT * INTO v_session FROM sessions WHERE id = p_session AND epoch = p_epoch AND owner IS NOT NULL
      FOR NO KEY UPDATE;
    IF NOT FOUND OR EXISTS (SELECT FROM queue WHERE session = v_session.key)
      OR EXISTS (SELECT FROM session_commands WHERE session = v_session.key AND finished_at IS NULL)
    THEN RETURN false; END IF;
    UPDATE sessions SET owner = NULL, lease_until = 0, reserved = 0 WHERE key = v_session.key;
    IF v_session.reserved > 0 THEN PERFORM ${giveBackFunction.name}(v_session, 0); END IF;
    RETURN true;
  END $$`,
);

/**
 * Makes a request that may take a lease, under a name of its own. When its answer is lost the lease may be this
 * process's without its knowing: it is given up before the next renewal, so that somebody runs the session.
 */
export type Acquiring = <T>(request: (acquisition: string) => Promise<T>) => Promise<T>;

interface Leases {
  readonly acquiring: Acquiring;
  readonly leases: LeaseStore;
}

export function prepareLeases({ query, now }: Database): Leases {
  const acquire = `
    UPDATE sessions SET owner = $2, lease_until = ${clockValue('$4')} + $3, epoch = epoch + 1, acquisition = $5
    WHERE id = $1 AND status = 'open'
      AND (owner IS NULL OR (owner <> $2 AND lease_until <= ${clockValue('$4')}))
    RETURNING epoch`;
  // In the order in which a batch of appends locks them.
  const locked = (those: string) =>
    `key = ANY (ARRAY(SELECT key FROM sessions WHERE ${those} ORDER BY key FOR NO KEY UPDATE))`;
  const renew = `UPDATE sessions SET lease_until = ${clockValue('$3')} + $2 WHERE ${locked('owner = $1')}`;
  // Nobody's, but not free: an open turn without anything in the queue is found by the lease that has run out.
  const release = `
    UPDATE sessions SET owner = '', lease_until = 0 WHERE ${locked('owner = $1 AND acquisition = ANY ($2)')}`;
  const abandon = `
    UPDATE sessions SET owner = '', lease_until = 0 WHERE id = $1 AND epoch = $2 AND owner IS NOT NULL`;
  // Each of the lists is short and has an index. Below a time that it does not know the planner expects a third of all
  // sessions, and would read every open one; of a range with two ends it expects few.
  const listRunnable = `
    SELECT id FROM sessions
    WHERE key IN (
        SELECT key FROM sessions WHERE owner IS NOT NULL AND lease_until <= ${clockValue('$1')}
        UNION ALL
        SELECT session FROM queue
        UNION ALL
        SELECT key FROM sessions WHERE wake_at BETWEEN 0 AND ${clockValue('$1')} AND status = 'open'
      )
      AND status = 'open' AND (owner IS NULL OR (owner <> $2 AND lease_until <= ${clockValue('$1')}))
    ORDER BY active_at, id LIMIT $3`;
  /** Requests whose answers were lost, by when that was. */
  const uncertain = new Map<string, number>();

  async function releaseUncertain(owner: string): Promise<void> {
    for (const [acquisition, at] of uncertain)
      if (performance.now() - at > uncertainMs) uncertain.delete(acquisition);
    if (uncertain.size > 0) await query(release, [owner, [...uncertain.keys()]]);
  }

  async function acquiring<T>(request: (acquisition: string) => Promise<T>): Promise<T> {
    const acquisition = randomUUID();
    try {
      return await request(acquisition);
    } catch (error) {
      if (error instanceof StoreUnavailableError) uncertain.set(acquisition, performance.now());
      throw error;
    }
  }

  const leases: LeaseStore = {
    async acquireLease(sessionId, { owner, leaseMs }) {
      const [row] = await acquiring((acquisition) =>
        query(acquire, [sessionId, owner, leaseMs, now(), acquisition]),
      );
      return row === undefined ? null : { sessionId, epoch: Number(row['epoch']) };
    },

    async listRunnable({ owner, limit }) {
      await releaseUncertain(owner);
      const rows = await query(listRunnable, [now(), owner, limit]);
      return rows.map(({ id }) => String(id));
    },

    async renewLeases({ owner, leaseMs }) {
      await releaseUncertain(owner);
      await query(renew, [owner, leaseMs, now()]);
    },

    async releaseLease({ sessionId, epoch }) {
      const [row] = await query(`SELECT ${releaseFunction.name}($1, $2) AS released`, [sessionId, epoch]);
      return Boolean(row?.['released']);
    },

    async abandonLease({ sessionId, epoch }) {
      await query(abandon, [sessionId, epoch]);
    },
  };
  return { acquiring, leases };
}
