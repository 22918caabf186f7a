import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { maxPageBytes } from '@parley/protocol/bounds';
import type { Clock } from '../clock.ts';
import type { SessionStore } from '../session-store.ts';
import type { Files } from './files.ts';
import type { GroupCommit } from './group-commit.ts';
import { idleSince } from './idle-since.ts';
import type { Reservations } from './reservations.ts';
import type { TermIndex } from './term-index.ts';

/** Rows that one transaction erases at most; of their data it erases `maxPageBytes`, or a single row. */
const pageRows = 500;
/** Sessions of a tenant that one transaction hides at most. */
const pageSessions = 200;

export interface SessionRemoval {
  remove: SessionStore['removeSession'];
  /** With the files of the tenant that no session has. */
  removeOfTenant(tenantId: string): Promise<void>;
  /** As `finishRemovals` of the store. */
  finish(maxMs: number): Promise<boolean>;
}

/** The rows of one table that belong to a session. */
interface Dependents {
  readonly page: StatementSync;
  readonly erase: StatementSync;
  readonly primaryKey: readonly string[];
}

/**
 * Erases sessions page by page. One statement for all of a session would hold the event loop for as long as the session
 * is long: zeroing what it frees takes the most of it. The first transaction hides the session from every read and
 * write, so that nobody meets a part of one.
 */
export function prepareRemoval(
  connection: DatabaseSync,
  commits: GroupCommit,
  clock: Clock,
  {
    files,
    reservations,
    messageIndex,
  }: {
    readonly files: Pick<Files, 'removeDetached' | 'removeUnboundOfTenant'>;
    readonly reservations: Pick<Reservations, 'release'>;
    readonly messageIndex: Pick<TermIndex, 'changed'>;
  },
): SessionRemoval {
  const hide = `
    UPDATE sessions SET id = 'removed ' || key, status = 'removed', tenant_id = '', agent_id = '',
      conversation_id = NULL, conversation_scope = NULL, visitor = NULL, owner = NULL, wake_at = NULL, state = 'null'`;
  const hideOne = connection.prepare(
    `${hide} WHERE id = ? AND status <> 'removed' AND active_at <= ? RETURNING key`,
  );
  const hideOfTenant = connection.prepare(`
    ${hide} WHERE key IN (SELECT key FROM sessions WHERE tenant_id = ? LIMIT ${pageSessions}) RETURNING key`);
  const removed = connection.prepare(
    `SELECT key FROM sessions WHERE status = 'removed' AND key > ? ORDER BY key LIMIT ${pageSessions}`,
  );
  const forget = connection.prepare('DELETE FROM sessions WHERE key = ?');
  const tables = dependents(connection);
  const detach = references(connection, 'SET NULL').map(({ table, column }) =>
    connection.prepare(`UPDATE "${table}" SET "${column}" = NULL WHERE "${column}" = ?`),
  );

  /** False when nothing is left of the session but its row. */
  function erasePage(session: number): boolean {
    let rows = 0;
    let bytes = 0;
    for (const { page, erase, primaryKey } of tables) {
      for (const row of page.all(session, pageRows - rows)) {
        bytes += Number(row['bytes'] ?? 0);
        if (rows > 0 && bytes > maxPageBytes) return true;
        erase.run(...primaryKey.map((column) => row[column]!));
        rows += 1;
      }
      if (rows === pageRows) return true;
    }
    forget.run(session);
    return false;
  }

  /** Rows that outlive the session, such as files, are detached in the transaction that hides it. */
  function hidden(rows: readonly Record<string, unknown>[]): readonly number[] {
    const keys = rows.map(({ key }) => Number(key));
    for (const key of keys) {
      reservations.release(key);
      for (const statement of detach) statement.run(key);
    }
    return keys;
  }

  async function erase(session: number): Promise<void> {
    while (await commits.erase(() => erasePage(session)));
    // Of its words no more than their rows is gone so far.
    await commits.erase(() => messageIndex.changed({ added: 0, removed: 1 }));
    // The files are nobody's once the session's row is gone.
    await files.removeDetached();
  }

  return {
    async remove(sessionId, only) {
      const [key] = await commits.erase(() =>
        hidden(hideOne.all(sessionId, idleSince(clock(), only?.idleMs))),
      );
      if (key === undefined) return false;
      await erase(key);
      return true;
    },
    async removeOfTenant(tenantId) {
      for (;;) {
        const keys = await commits.erase(() => hidden(hideOfTenant.all(tenantId)));
        if (keys.length === 0) return files.removeUnboundOfTenant(tenantId);
        for (const key of keys) await erase(key);
      }
    },
    async finish(maxMs) {
      const end = performance.now() + maxMs;
      // Once through: those that are hidden meanwhile would keep it going.
      for (let after = 0; ;) {
        const left = removed.all(after);
        for (const { key } of left) {
          if (performance.now() > end) return false;
          after = Number(key);
          await erase(after);
        }
        if (left.length < pageSessions) return true;
      }
    },
  };
}

/** The columns that name a session, by what becomes of their rows when it goes. */
function references(
  connection: DatabaseSync,
  onDelete: 'CASCADE' | 'SET NULL',
): readonly { table: string; column: string }[] {
  const named = connection.prepare(`
    SELECT tables.name AS name, keys."from" AS session
    FROM sqlite_schema AS tables, pragma_foreign_key_list(tables.name) AS keys
    WHERE tables.type = 'table' AND keys."table" = 'sessions' AND keys.on_delete = ? ORDER BY tables.name`);
  return named.all(onDelete).map(({ name, session }) => ({ table: String(name), column: String(session) }));
}

/** Every table whose rows belong to a session, as the schema says it. */
function dependents(connection: DatabaseSync): readonly Dependents[] {
  const columns = connection.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY pk');
  return references(connection, 'CASCADE').map(({ table, column }) => {
    const all = columns.all(table).map(({ name, pk }) => ({ name: String(name), inKey: Number(pk) > 0 }));
    const primaryKey = all.filter(({ inKey }) => inKey).map(({ name }) => name);
    const selected = primaryKey.map((name) => `"${name}"`).join(', ');
    const bytes = all.map(({ name }) => `coalesce(octet_length("${name}"), 0)`).join(' + ');
    const where = primaryKey.map((name) => `"${name}" = ?`).join(' AND ');
    return {
      page: connection.prepare(
        `SELECT ${selected}, ${bytes} AS bytes FROM "${table}" WHERE "${column}" = ? LIMIT ?`,
      ),
      erase: connection.prepare(`DELETE FROM "${table}" WHERE ${where}`),
      primaryKey,
    };
  });
}
