import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import { sessionRecord } from '../decode-row.ts';
import type { SessionRecord, SessionStore } from '../session-store.ts';
import type { GroupCommit } from './group-commit.ts';
import { idleSince } from './idle-since.ts';

type Sessions = Pick<
  SessionStore,
  'getSession' | 'listSessionHeads' | 'listOwned' | 'findConversation' | 'listIdle' | 'listEnded'
>;

/** A session's row as `sessionRecord` takes it. */
export const sessionColumns = `
  id, tenant_id AS tenantId, agent_id AS agentId, interface, conversation_id AS conversationId,
  conversation_scope AS conversationScope, visitor, status, state, next_index AS nextIndex, created_at AS createdAt,
  active_at AS activeAt`;

/** Work of one transaction never spans two turns of the event loop, so a read meets committed rows only. */
export function prepareSessions(
  connection: DatabaseSync,
  commits: Pick<GroupCommit, 'onDisk'>,
  clock: Clock,
): Sessions {
  const byId = connection.prepare(`SELECT ${sessionColumns} FROM sessions WHERE id = ?`);
  const heads = connection.prepare(`
    SELECT id, next_index AS nextIndex FROM sessions
    WHERE id IN (SELECT value FROM json_each(?))`);
  const owned = connection.prepare(`
    SELECT id, visitor FROM sessions
    WHERE id IN (SELECT value FROM json_each(?)) AND visitor IS NOT NULL`);
  const byConversation = connection.prepare(`
    SELECT ${sessionColumns} FROM sessions WHERE agent_id = ? AND conversation_scope = ? AND conversation_id = ?`);
  const idleOfAgent = connection.prepare(`
    SELECT id FROM sessions WHERE status = 'open' AND agent_id = ? AND active_at <= ? ORDER BY active_at, id LIMIT ? OFFSET ?`);
  const ended = connection.prepare(`
    SELECT id FROM sessions WHERE status <> 'open' AND agent_id = ? AND active_at <= ? ORDER BY active_at, id LIMIT ? OFFSET ?`);
  // Of every agent with such sessions one look into the index; what is being removed has no agent.
  const orphans = (those: string) =>
    connection.prepare(`
      WITH RECURSIVE agents_of (id) AS (
        SELECT min(agent_id) FROM sessions WHERE ${those} AND agent_id > ''
        UNION ALL
        SELECT (SELECT min(agent_id) FROM sessions WHERE ${those} AND agent_id > agents_of.id)
        FROM agents_of WHERE id IS NOT NULL
      )
      SELECT sessions.id FROM agents_of JOIN sessions ON sessions.agent_id = agents_of.id
      WHERE NOT EXISTS (SELECT 1 FROM agents WHERE agents.id = agents_of.id)
        AND sessions.${those} AND active_at <= ?
      LIMIT ? OFFSET ?`);
  const openOrphans = orphans(`status = 'open'`);
  const endedOrphans = orphans(`status <> 'open'`);

  return {
    getSession: async (id) => commits.onDisk(recordOf(byId.get(id))),
    listSessionHeads: async (ids) =>
      commits.onDisk(
        heads.all(JSON.stringify(ids)).map(({ id, nextIndex }) => ({
          id: String(id),
          nextIndex: Number(nextIndex),
        })),
      ),
    listOwned: async (ids) =>
      owned.all(JSON.stringify(ids)).map(({ id, visitor }) => ({ id: String(id), visitor: String(visitor) })),
    findConversation: async (agentId, scope, conversationId) =>
      commits.onDisk(recordOf(byConversation.get(agentId, scope, conversationId))),
    async listIdle({ agentId, idleMs, limit, skip = 0 }) {
      const until = idleSince(clock(), idleMs);
      const rows =
        agentId === null ? openOrphans.all(until, limit, skip) : idleOfAgent.all(agentId, until, limit, skip);
      return rows.map(({ id }) => String(id));
    },
    async listEnded({ agentId, idleMs, limit, skip = 0 }) {
      const until = idleSince(clock(), idleMs);
      const rows =
        agentId === null ? endedOrphans.all(until, limit, skip) : ended.all(agentId, until, limit, skip);
      return rows.map(({ id }) => String(id));
    },
  };
}

function recordOf(row: Record<string, SQLOutputValue> | undefined): SessionRecord | null {
  return row === undefined ? null : sessionRecord(row);
}
