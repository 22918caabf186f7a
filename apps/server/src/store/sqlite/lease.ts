import type { DatabaseSync } from 'node:sqlite';
import type { Claim } from '../store.ts';

export interface Lease {
  readonly owner: string;
  readonly until: number;
  readonly now: number;
}

export function prepareClaim(connection: DatabaseSync): (sessionId: string, lease: Lease) => Claim | null {
  const claim = connection.prepare(`
    UPDATE sessions SET owner = ?1, lease_until = ?2, epoch = epoch + 1
    WHERE id = ?3 AND status = 'open' AND (owner IS NULL OR (owner <> ?1 AND lease_until <= ?4))
    RETURNING epoch`);
  return (sessionId, { owner, until, now }) => {
    const claimed = claim.get(owner, until, sessionId, now);
    return claimed === undefined ? null : { sessionId, epoch: Number(claimed['epoch']) };
  };
}

export interface Leases {
  readonly claim: (sessionId: string, lease: Lease) => Claim | null;
  renew(owner: string, until: number): void;
  release(claim: Claim): boolean;
  /** Lets some leases run out, and says how many; none is left when they are fewer than `limit`. */
  expire(limit: number): number;
  abandoned(query: { owner: string; now: number; limit: number }): readonly string[];
}

export function prepareLeases(connection: DatabaseSync): Leases {
  const renew = connection.prepare('UPDATE sessions SET lease_until = ? WHERE owner = ?');
  const release = connection.prepare(`
    UPDATE sessions SET owner = NULL, lease_until = 0
    WHERE id = ? AND epoch = ? AND owner IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM queue WHERE queue.session = sessions.key)`);
  const expire = connection.prepare(`
    UPDATE sessions SET lease_until = 0
    WHERE key IN (SELECT key FROM sessions WHERE owner IS NOT NULL AND lease_until > 0 LIMIT ?)`);
  // Each of the lists is short and has an index; a union of whole rows would be made by reading every session in order.
  const abandoned = connection.prepare(`
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
    claim: prepareClaim(connection),
    renew: (owner, until) => void renew.run(until, owner),
    release: ({ sessionId, epoch }) => release.run(sessionId, epoch).changes === 1,
    expire: (limit) => Number(expire.run(limit).changes),
    abandoned: ({ owner, now, limit }) => abandoned.all(now, owner, limit).map(({ id }) => String(id)),
  };
}
