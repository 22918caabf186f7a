import { sessionRecord } from '../decode-row.ts';
import type { Row } from '../query-engine.ts';
import type { SessionRecord, SessionStore } from '../session-store.ts';
import { clockValue } from './clock.ts';
import type { Database } from './database.ts';

type Sessions = Pick<
  SessionStore,
  'getSession' | 'listSessionHeads' | 'listOwned' | 'findConversation' | 'listIdle' | 'listEnded'
>;

const columns = `
  id, tenant_id AS "tenantId", agent_id AS "agentId", interface, conversation_id AS "conversationId",
  conversation_scope AS "conversationScope", visitor, status, state, next_index AS "nextIndex",
  created_at AS "createdAt", active_at AS "activeAt"`;

// Indexed is the hour of the last activity. After a clock was set back, what is not asked to be idle at all is found.
const until = `(SELECT CASE WHEN $1::bigint = 0 THEN 9007199254740991 ELSE ${clockValue('$2')} - $1 END)`;
const idleLongEnough = `active_hour <= least(${until} / 3600000, 2147483647) AND active_at <= ${until}`;
const oldestFirst = 'ORDER BY active_hour, active_at, id LIMIT $3 OFFSET $4';

export function prepareSessions({ query, now }: Database): Sessions {
  const byId = `SELECT ${columns} FROM sessions WHERE id = $1`;
  const heads = `SELECT id, next_index AS "nextIndex" FROM sessions WHERE id = ANY($1)`;
  const owned = `SELECT id, visitor FROM sessions WHERE id = ANY($1) AND visitor IS NOT NULL`;
  const byConversation = `
    SELECT ${columns} FROM sessions WHERE agent_id = $1 AND conversation_scope = $2 AND conversation_id = $3`;
  const idleOfAgent = `
    SELECT id FROM sessions WHERE status = 'open' AND agent_id = $5 AND ${idleLongEnough} ${oldestFirst}`;
  const ended = `
    SELECT id FROM sessions WHERE status <> 'open' AND agent_id = $5 AND ${idleLongEnough} ${oldestFirst}`;
  // Of every agent with such sessions one look into the index; what is being removed has no agent.
  const orphans = (those: string) => `
    WITH RECURSIVE agents_of (id) AS (
      SELECT min(agent_id) FROM sessions WHERE ${those} AND agent_id > ''
      UNION ALL
      SELECT (SELECT min(agent_id) FROM sessions WHERE ${those} AND agent_id > agents_of.id)
      FROM agents_of WHERE id IS NOT NULL
    )
    SELECT sessions.id FROM agents_of JOIN sessions ON sessions.agent_id = agents_of.id
    WHERE NOT EXISTS (SELECT FROM agents WHERE agents.id = agents_of.id)
      AND sessions.${those} AND ${idleLongEnough}
    LIMIT $3 OFFSET $4`;
  const openOrphans = orphans(`status = 'open'`);
  const endedOrphans = orphans(`status <> 'open'`);

  async function ids(text: string, values: readonly unknown[]): Promise<readonly string[]> {
    return (await query(text, values)).map(({ id }) => String(id));
  }

  return {
    getSession: async (id) => recordOf(await query(byId, [id])),
    listSessionHeads: async (sessionIds) =>
      (await query(heads, [sessionIds])).map(({ id, nextIndex }) => ({
        id: String(id),
        nextIndex: Number(nextIndex),
      })),
    listOwned: async (sessionIds) =>
      (await query(owned, [sessionIds])).map(({ id, visitor }) => ({
        id: String(id),
        visitor: String(visitor),
      })),
    findConversation: async (agentId, scope, conversationId) =>
      recordOf(await query(byConversation, [agentId, scope, conversationId])),
    listIdle: ({ agentId, idleMs, limit, skip = 0 }) =>
      agentId === null
        ? ids(openOrphans, [idleMs, now(), limit, skip])
        : ids(idleOfAgent, [idleMs, now(), limit, skip, agentId]),
    listEnded: ({ agentId, idleMs, limit, skip = 0 }) =>
      agentId === null
        ? ids(endedOrphans, [idleMs, now(), limit, skip])
        : ids(ended, [idleMs, now(), limit, skip, agentId]),
  };
}

function recordOf([row]: readonly Row[]): SessionRecord | null {
  return row === undefined ? null : sessionRecord(row);
}
