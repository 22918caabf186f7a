import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Claim, Store } from '../store.ts';
import { prepareAccept } from './accept.ts';
import { prepareAppends } from './append.ts';
import { openDatabase, type Database } from './database.ts';
import { prepareFeedback } from './feedback.ts';
import { ownFile } from './file-owner.ts';
import { groupCommit } from './group-commit.ts';
import { prepareIdempotency } from './idempotency.ts';
import { prepareLeases } from './lease.ts';
import { prepareReads } from './reads.ts';
import { prepareReservations } from './reservations.ts';
import { sqliteSettings } from './settings.ts';
import { prepareVisitors } from './visitors.ts';

/** Opens the file, creating it and its folder when they are not there. One process at a time; a second one is refused. */
export async function openSqliteStore({ path }: { path: string }): Promise<Store> {
  const file = resolve(path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const owner = ownFile(file);
  try {
    const database = await openDatabase(file);
    const store = sqliteStore(database);
    return {
      ...store,
      async close() {
        await store.close();
        owner.release();
      },
    };
  } catch (error) {
    owner.release();
    throw error;
  }
}

export function sqliteStore(database: Database): Store {
  const { connection } = database;
  const commits = groupCommit(connection);
  const accept = prepareAccept(connection);
  const appends = prepareAppends(connection);
  const leases = prepareLeases(connection);
  const idempotency = prepareIdempotency(connection);
  const reservations = prepareReservations(connection);
  const keyOf = connection.prepare('SELECT key FROM sessions WHERE id = ?');
  const removeSession = connection.prepare('DELETE FROM sessions WHERE key = ?');
  const beat = connection.prepare(`
    INSERT INTO pulse (key, beats) VALUES (1, 1) ON CONFLICT DO UPDATE SET beats = beats + 1`);

  /** 0, which no session has, when there is none. */
  function key(sessionId: string): number {
    return Number(keyOf.get(sessionId)?.['key'] ?? 0);
  }

  function release(claim: Claim): boolean {
    const released = leases.release(claim);
    if (released) reservations.release(key(claim.sessionId), true);
    return released;
  }

  function remove(sessionId: string): boolean {
    const session = key(sessionId);
    reservations.release(session, true);
    return removeSession.run(session).changes > 0;
  }

  return {
    settings: sqliteSettings(database, commits),
    ...prepareReads(connection),
    ...prepareVisitors(connection, commits),
    ...prepareFeedback(connection, commits),
    accept: async (acceptance) => commits.write(accept(acceptance)),
    claim: (sessionId, lease) => commits.write(() => leases.claim(sessionId, lease)),
    abandoned: async ({ now, limit }) => leases.abandoned(now, limit),
    expireAll: () => commits.write(() => leases.expireAll()),
    renew: (owner, until) => commits.write(() => leases.renew(owner, until)),
    commit: async (claim, commit) => commits.write(appends.commit(claim, commit)),
    release: (claim) => commits.write(() => release(claim)),
    end: async (sessionId, change) => commits.write(appends.end(sessionId, change)),
    remove: (sessionId) => commits.erase(() => remove(sessionId)),
    used: async (sessionId, meter, now) => reservations.used(key(sessionId), meter, now),
    forgetIdempotency: (scope) => commits.write(() => idempotency.forget(scope)),
    ping: () => commits.write(() => void beat.run()),
    async close() {
      commits.close();
      if (connection.isOpen) connection.close();
    },
  };
}
