import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Claim, Store } from '../store.ts';
import { prepareAccept } from './accept.ts';
import { prepareAppends } from './append.ts';
import { prepareContextWindows } from './context-windows.ts';
import { openDatabase, type Database } from './database.ts';
import { prepareFiles } from './files.ts';
import { prepareFeedback } from './feedback.ts';
import { ownFile } from './file-owner.ts';
import { groupCommit } from './group-commit.ts';
import { prepareHistory } from './history.ts';
import { prepareIdempotency } from './idempotency.ts';
import { prepareLeases } from './lease.ts';
import { prepareReads } from './reads.ts';
import { prepareRemoval } from './session-removal.ts';
import { prepareReservations } from './reservations.ts';
import { sqliteSettings } from './settings.ts';
import { prepareVisitors } from './visitors.ts';

/** Leases that one transaction lets run out. */
const leasePage = 500;

/** For what an operator should know although no request has failed. */
type Warn = (details: object, message: string) => void;

/** Opens the file, creating it and its folder when they are not there. One process at a time; a second one is refused. */
export async function openSqliteStore({ path, warn }: { path: string; warn?: Warn }): Promise<Store> {
  const file = resolve(path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const owner = ownFile(file);
  try {
    const database = await openDatabase(file);
    const store = sqliteStore(database, warn);
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

export function sqliteStore(database: Database, warn: Warn = () => {}): Store {
  const { connection } = database;
  const commits = groupCommit(connection, {
    onFailure: (err) =>
      warn({ err }, 'the write-ahead log could not be copied into the database; trying again'),
    onHeld: (logBytes) =>
      warn(
        { logBytes },
        'another program has been reading the database for so long that its write-ahead log cannot be emptied',
      ),
  });
  const accept = prepareAccept(connection);
  const appends = prepareAppends(connection);
  const leases = prepareLeases(connection);
  const idempotency = prepareIdempotency(connection);
  const reservations = prepareReservations(connection);
  const files = prepareFiles(connection, commits);
  const removal = prepareRemoval(connection, commits, { files, reservations });
  removal
    .resume()
    .catch((err: unknown) =>
      warn({ err }, 'removed sessions could not be erased; the next start tries again'),
    );
  const keyOf = connection.prepare('SELECT key FROM sessions WHERE id = ?');
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

  return {
    settings: sqliteSettings(database, commits, removal),
    files,
    ...prepareReads(connection),
    ...prepareHistory(connection),
    ...prepareContextWindows(connection, commits),
    ...prepareVisitors(connection, commits),
    ...prepareFeedback(connection, commits),
    accept: async (acceptance) => commits.write(accept(acceptance)),
    claim: (sessionId, lease) => commits.write(() => leases.claim(sessionId, lease)),
    abandoned: async (query) => leases.abandoned(query),
    async expireAll() {
      while ((await commits.write(() => leases.expire(leasePage))) === leasePage);
    },
    renew: (owner, until) => commits.write(() => leases.renew(owner, until)),
    commit: async (claim, commit) => commits.write(appends.commit(claim, commit)),
    release: (claim) => commits.write(() => release(claim)),
    end: async (sessionId, change) => commits.write(appends.end(sessionId, change)),
    remove: (sessionId) => removal.remove(sessionId),
    used: async (sessionId, meter, now) => reservations.used(key(sessionId), meter, now),
    forgetIdempotency: (scope) => commits.write(() => idempotency.forget(scope)),
    ping: () => commits.write(() => void beat.run()),
    async close() {
      await commits.close();
      if (connection.isOpen) connection.close();
    },
  };
}
