import type { SessionStore } from '../session-store.ts';
import { clockFunction } from './clock.ts';
import type { Database } from './database.ts';
import type { Files } from './files.ts';
import { giveBackFunction } from './reservations.ts';
import { sqlFunction } from './sql-function.ts';

/** Rows of a table that one statement erases at most; a row may have 256 KiB. */
const pageRows = 200;
/** Sessions of a tenant that are hidden one after the other before they are erased. */
const pageSessions = 200;

/** Every table whose rows belong to a session. Its files outlive it, until `expire` removes them. */
export const dependents = [
  'events',
  'history',
  'call_results',
  'queue',
  'session_commands',
  'turns',
  'feedback',
  'open_questions',
  'threads',
  'thread_notes',
  'thread_delegates',
  'approval_mails',
  'session_transfers',
  'ready_mails',
  'webhook_deliveries',
  'idempotency',
  'unsearched_events',
  'searched_messages',
] as const;

/** Hides a session from every read and write, so that nobody meets a part of one. Its key, or null. */
export const hideFunction = sqlFunction(
  'hide_session',
  `CREATE FUNCTION $name(p_key bigint, p_now bigint, p_idle_ms bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE v_session sessions;
  BEGIN
    SELECT * INTO v_session FROM sessions
    WHERE key = p_key AND status <> 'removed'
      AND (p_idle_ms = 0 OR active_at <= ${clockFunction.name}(p_now) - p_idle_ms) FOR UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    UPDATE sessions SET id = 'removed ' || key, status = 'removed', tenant_id = '', agent_id = '',
      conversation_id = NULL, conversation_scope = NULL, visitor = NULL, owner = NULL, wake_at = NULL,
      reserved = 0, state = 'null'
    WHERE key = v_session.key;
    UPDATE files SET session = NULL, expires_at = 0 WHERE session = v_session.key;
    IF v_session.reserved > 0 THEN PERFORM ${giveBackFunction.name}(v_session, 0); END IF;
    RETURN v_session.key;
  END $$`,
);

export interface SessionRemoval {
  remove: SessionStore['removeSession'];
  /** With the files of the tenant that no session has. */
  removeOfTenant(tenantId: string): Promise<void>;
  /** As `finishRemovals` of the store. */
  finish(maxMs: number): Promise<boolean>;
}

/** Erases sessions page by page, so that no statement holds its locks for as long as a session is long. */
export function prepareRemoval(
  { query, now }: Database,
  files: Pick<Files, 'removeDetached' | 'removeUnboundOfTenant'>,
): SessionRemoval {
  const hideOne = `SELECT ${hideFunction.name}(key, $2, $3) AS key FROM sessions WHERE id = $1`;
  const ofTenant = `SELECT key FROM sessions WHERE tenant_id = $1 LIMIT ${pageSessions}`;
  const hide = `SELECT ${hideFunction.name}($1, NULL, 0) AS key`;
  const removed = `SELECT key FROM sessions WHERE status = 'removed' AND key > $1 ORDER BY key LIMIT ${pageSessions}`;
  const erasures = dependents.map(
    (table) => `
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE session = $1 LIMIT ${pageRows}))
      RETURNING 1 AS erased`,
  );

  const rowsLeft = dependents.map((table) => `EXISTS (SELECT FROM ${table} WHERE session = $1)`).join(' OR ');
  const forget = `DELETE FROM sessions WHERE key = $1 AND NOT (${rowsLeft})`;
  const isLeft = `SELECT FROM sessions WHERE key = $1`;

  /**
   * Several processes may erase the same session: each gets fewer rows than there are, and a page that another one takes
   * may yet be rolled back. So the session's row, by which the rest is found, goes once nothing else is left.
   */
  async function erase(session: number): Promise<void> {
    do {
      for (const erasure of erasures) while ((await query(erasure, [session])).length === pageRows);
      await query(forget, [session]);
    } while ((await query(isLeft, [session])).length > 0);
    await files.removeDetached();
  }

  return {
    async remove(sessionId, only) {
      const [row] = await query(hideOne, [sessionId, now(), only?.idleMs ?? 0]);
      if (row === undefined || row['key'] === null) return false;
      await erase(Number(row['key']));
      return true;
    },
    async removeOfTenant(tenantId) {
      for (;;) {
        const rows = await query(ofTenant, [tenantId]);
        if (rows.length === 0) return files.removeUnboundOfTenant(tenantId);
        for (const { key } of rows) {
          await query(hide, [key]);
          await erase(Number(key));
        }
      }
    },
    async finish(maxMs) {
      const end = performance.now() + maxMs;
      // Once through: those that are hidden meanwhile would keep it going.
      for (let after = 0; ;) {
        const left = await query(removed, [after]);
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
