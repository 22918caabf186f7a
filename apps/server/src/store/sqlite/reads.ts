import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { maxPageBytes } from '@parley/protocol/bounds';
import type { SessionEvent } from '@parley/protocol/event';
import type { QueuedItem, Store, StoredEvent, SessionRecord } from '../store.ts';

type Row = Record<string, SQLOutputValue>;
type Reads = Pick<
  Store,
  | 'session'
  | 'conversation'
  | 'queue'
  | 'read'
  | 'stepStart'
  | 'inputRequests'
  | 'callResult'
  | 'idle'
  | 'ended'
>;

/** Work of one transaction never spans two turns of the event loop, so a read meets committed rows only. */
export function prepareReads(connection: DatabaseSync): Reads {
  const session = `
    SELECT id, tenant_id AS tenantId, agent_id AS agentId, interface, conversation_id AS conversationId,
      conversation_scope AS conversationScope, visitor, status, state, next_index AS nextIndex, created_at AS createdAt, active_at AS activeAt
    FROM sessions`;
  const byId = connection.prepare(`${session} WHERE id = ?`);
  const byConversation = connection.prepare(
    `${session} WHERE agent_id = ? AND conversation_scope = ? AND conversation_id = ?`,
  );
  const key = '(SELECT key FROM sessions WHERE id = ?)';
  const queue = connection.prepare(`
    SELECT id, position, body, accepted_at AS acceptedAt, accepted_index AS acceptedIndex,
      octet_length(body) AS bytes
    FROM queue WHERE session = ${key} ORDER BY position`);
  const events = connection.prepare(`
    SELECT idx, type, data, id, at, concealed, item_id AS itemId, octet_length(data) AS bytes
    FROM events WHERE session = ${key} AND idx >= ? ORDER BY idx LIMIT ?`);
  const stepStart = connection.prepare(`
    SELECT max(idx) AS idx FROM events WHERE session = ${key} AND type = 'step.started' AND idx <= ?`);
  const inputRequests = connection.prepare(`
    SELECT idx, type, data, id, at, concealed, item_id AS itemId
    FROM events INDEXED BY input_requests
    WHERE session = ${key} AND type = 'input.requested' AND idx < ? ORDER BY idx DESC LIMIT ?`);
  const callResult = connection.prepare(
    `SELECT result FROM call_results WHERE session = ${key} AND call_id = ?`,
  );
  const idle = connection.prepare(`
    SELECT id FROM sessions WHERE status = 'open' AND active_at < ? ORDER BY active_at, id LIMIT ?`);
  const ended = connection.prepare(`
    SELECT id FROM sessions WHERE status <> 'open' AND agent_id = ? AND active_at < ? ORDER BY active_at, id LIMIT ?`);
  // Of every agent with ended sessions one look into the index; what is being removed has no agent.
  const endedOrphans = connection.prepare(`
    WITH RECURSIVE agents_of (id) AS (
      SELECT min(agent_id) FROM sessions WHERE status <> 'open' AND agent_id > ''
      UNION ALL
      SELECT (SELECT min(agent_id) FROM sessions WHERE status <> 'open' AND agent_id > agents_of.id)
      FROM agents_of WHERE id IS NOT NULL
    )
    SELECT sessions.id FROM agents_of JOIN sessions ON sessions.agent_id = agents_of.id
    WHERE NOT EXISTS (SELECT 1 FROM agents WHERE agents.id = agents_of.id)
      AND sessions.status <> 'open' AND active_at < ?
    LIMIT ?`);
  const idleOfAgent = connection.prepare(`
    SELECT id FROM sessions WHERE status = 'open' AND agent_id = ? AND active_at < ? ORDER BY active_at, id LIMIT ?`);

  return {
    session: async (id) => sessionRecord(byId.get(id)),
    conversation: async (agentId, scope, conversationId) =>
      sessionRecord(byConversation.get(agentId, scope, conversationId)),
    async queue(sessionId) {
      const items: QueuedItem[] = [];
      let read = 0;
      for (const { id, position, body, acceptedAt, acceptedIndex, bytes } of queue.iterate(sessionId)) {
        read += Number(bytes);
        if (items.length > 0 && read > maxPageBytes) break;
        items.push({
          id: String(id),
          position: Number(position),
          body: JSON.parse(String(body)),
          acceptedAt: Number(acceptedAt),
          acceptedIndex: acceptedIndex === null ? null : Number(acceptedIndex),
        });
      }
      return items;
    },
    async read(sessionId, from, limit) {
      const page: StoredEvent[] = [];
      let bytes = 0;
      for (const row of events.iterate(sessionId, from, limit + 1)) {
        bytes += Number(row['bytes'] ?? 0);
        if (page.length === limit || (page.length > 0 && bytes > maxPageBytes))
          return { events: page, next: Number(row['idx']) };
        page.push(storedEvent(row));
      }
      return { events: page, next: null };
    },
    stepStart: async (sessionId, index) => Number(stepStart.get(sessionId, index)?.['idx'] ?? 0),
    inputRequests: async (sessionId, before, limit) =>
      inputRequests.all(sessionId, before, limit).map(storedEvent),
    async callResult(sessionId, callId) {
      const row = callResult.get(sessionId, callId);
      return row === undefined ? null : JSON.parse(String(row['result']));
    },
    ended: async ({ agentId, before, limit }) =>
      (agentId === null ? endedOrphans.all(before, limit) : ended.all(agentId, before, limit)).map(({ id }) =>
        String(id),
      ),
    idle: async ({ agentId, before, limit }) =>
      (agentId === undefined ? idle.all(before, limit) : idleOfAgent.all(agentId, before, limit)).map(
        ({ id }) => String(id),
      ),
  };
}

function sessionRecord(row: Row | undefined): SessionRecord | null {
  if (row === undefined) return null;
  // The columns are aliased to the record's fields; `state` alone is stored in another form.
  return { ...row, state: JSON.parse(String(row['state'])) } as unknown as SessionRecord;
}

function storedEvent({ idx, type, data, id, at, concealed, itemId }: Row): StoredEvent {
  const event = {
    type,
    ...(data === null ? {} : { data: JSON.parse(String(data)) }),
    meta: { at, id },
  };
  return {
    index: Number(idx),
    event: event as SessionEvent,
    concealed: concealed === 1,
    itemId: itemId === null ? null : String(itemId),
  };
}
