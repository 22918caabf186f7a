import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { maxPageBytes } from '@parley/protocol/bounds';
import type { FileStore } from '../file-store.ts';
import type { GroupCommit } from './group-commit.ts';

/** Rows that one transaction erases at most; of their data it erases `maxPageBytes`, or a single row. */
const pageRows = 500;
/** Sessions of a tenant that one transaction hides at most. */
const pageSessions = 200;

export interface SessionRemoval {
  remove(sessionId: string): Promise<boolean>;
  removeOfTenant(tenantId: string): Promise<void>;
  /** Goes on with what a process that died has left. */
  resume(): Promise<void>;
}

/** What hangs from a session in one table. */
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
  files: Pick<FileStore, 'expire'>,
): SessionRemoval {
  const hide = `
    UPDATE sessions SET id = 'removed ' || key, status = 'removed', tenant_id = '', agent_id = '',
      conversation_id = NULL, visitor = NULL, owner = NULL, wake_at = NULL, state = 'null'`;
  const hideOne = connection.prepare(`${hide} WHERE id = ? AND status <> 'removed' RETURNING key`);
  const hideOfTenant = connection.prepare(`
    ${hide} WHERE key IN (SELECT key FROM sessions WHERE tenant_id = ? LIMIT ${pageSessions}) RETURNING key`);
  const removed = connection.prepare(
    `SELECT key FROM sessions WHERE status = 'removed' ORDER BY key LIMIT ${pageSessions}`,
  );
  const forget = connection.prepare('DELETE FROM sessions WHERE key = ?');
  const tables = dependents(connection);

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

  async function erase(session: number): Promise<void> {
    while (await commits.erase(() => erasePage(session)));
    // The files are nobody's once the session's row is gone.
    await files.expire(0);
  }

  async function eraseEach(rows: readonly Record<string, unknown>[]): Promise<void> {
    for (const { key } of rows) await erase(Number(key));
  }

  return {
    async remove(sessionId) {
      const row = await commits.erase(() => hideOne.get(sessionId));
      if (row === undefined) return false;
      await erase(Number(row['key']));
      return true;
    },
    async removeOfTenant(tenantId) {
      for (;;) {
        const hidden = await commits.erase(() => hideOfTenant.all(tenantId));
        if (hidden.length === 0) return;
        await eraseEach(hidden);
      }
    },
    async resume() {
      for (let left = removed.all(); left.length > 0; left = removed.all()) await eraseEach(left);
    },
  };
}

/** Every table whose rows go with a session, as its foreign keys say it. */
function dependents(connection: DatabaseSync): readonly Dependents[] {
  const references = connection.prepare(`
    SELECT tables.name AS name, keys."from" AS session
    FROM sqlite_schema AS tables, pragma_foreign_key_list(tables.name) AS keys
    WHERE tables.type = 'table' AND keys."table" = 'sessions' AND keys.on_delete = 'CASCADE' ORDER BY tables.name`);
  const columns = connection.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY pk');
  return references.all().map(({ name, session }) => {
    const all = columns.all(String(name));
    const primaryKey = all.flatMap((column) => (Number(column['pk']) > 0 ? [String(column['name'])] : []));
    const bytes = all.map((column) => `coalesce(octet_length("${String(column['name'])}"), 0)`).join(' + ');
    const where = primaryKey.map((column) => `"${column}" = ?`).join(' AND ');
    return {
      page: connection.prepare(
        `SELECT ${primaryKey.map((column) => `"${column}"`).join(', ')}, ${bytes} AS bytes
         FROM "${String(name)}" WHERE "${String(session)}" = ? LIMIT ?`,
      ),
      erase: connection.prepare(`DELETE FROM "${String(name)}" WHERE ${where}`),
      primaryKey,
    };
  });
}
