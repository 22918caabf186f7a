import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import type { Lease, LeaseRequest } from '../lease-store.ts';

type Acquire = (sessionId: string, request: LeaseRequest) => Lease | null;

function prepareAcquire(connection: DatabaseSync, clock: Clock): Acquire {
  const acquire = connection.prepare(`
    UPDATE sessions SET owner = ?1, lease_until = ?2, epoch = epoch + 1
    WHERE id = ?3 AND status = 'open' AND (owner IS NULL OR (owner <> ?1 AND lease_until <= ?4))
    RETURNING epoch`);
  return (sessionId, { owner, leaseMs }) => {
    const now = clock();
    const acquired = acquire.get(owner, now + leaseMs, sessionId, now);
    return acquired === undefined ? null : { sessionId, epoch: Number(acquired['epoch']) };
  };
}

export interface Leases {
  readonly acquire: Acquire;
  renew(request: LeaseRequest): void;
  /** What the session held of a quota is no longer in its row: the caller gives it back. */
  release(lease: Lease): boolean;
  abandon(lease: Lease): void;
  /** Lets some leases run out, and says how many; none is left when they are fewer than `limit`. */
  expire(limit: number): number;
  listRunnable(query: { owner: string; limit: number }): readonly string[];
}

export function prepareLeases(connection: DatabaseSync, clock: Clock): Leases {
  const renew = connection.prepare('UPDATE sessions SET lease_until = ? WHERE owner = ?');
  const release = connection.prepare(`
    UPDATE sessions SET owner = NULL, lease_until = 0, reserved = 0
    WHERE id = ? AND epoch = ? AND owner IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM queue WHERE queue.session = sessions.key)
      AND NOT EXISTS (SELECT 1 FROM session_commands WHERE session = sessions.key AND finished_at IS NULL)`);
  // Nobody's, but not free: an open turn without anything in the queue is found by the lease that has run out.
  const abandon = connection.prepare(`
    UPDATE sessions SET owner = '', lease_until = 0 WHERE id = ? AND epoch = ? AND owner IS NOT NULL`);
  const expire = connection.prepare(`
    UPDATE sessions SET lease_until = 0
    WHERE key IN (SELECT key FROM sessions WHERE owner IS NOT NULL AND lease_until > 0 LIMIT ?)`);
  // Each of the lists is short and has an index; a union of whole rows would be made by reading every session in order.
  const listRunnable = connection.prepare(`
    SELECT id FROM sessions
    WHERE key IN (
        SELECT key FROM sessions WHERE owner IS NOT NULL AND lease_until <= ?1
        UNION ALL
        SELECT session FROM queue
        UNION ALL
        SELECT key FROM sessions WHERE wake_at <= ?1 AND status = 'open'
      )
      AND status = 'open' AND (owner IS NULL OR (owner <> ?2 AND lease_until <= ?1))
    ORDER BY active_at, id LIMIT ?3`);

  return {
    acquire: prepareAcquire(connection, clock),
    renew: ({ owner, leaseMs }) => void renew.run(clock() + leaseMs, owner),
    release: ({ sessionId, epoch }) => release.run(sessionId, epoch).changes === 1,
    abandon: ({ sessionId, epoch }) => void abandon.run(sessionId, epoch),
    expire: (limit) => Number(expire.run(limit).changes),
    listRunnable: ({ owner, limit }) => listRunnable.all(clock(), owner, limit).map(({ id }) => String(id)),
  };
}
