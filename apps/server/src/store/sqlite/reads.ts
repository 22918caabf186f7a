import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { SessionEvent } from '@parley/protocol/event';
import type { Store, StoredEvent, SessionRecord } from '../store.ts';

type Row = Record<string, SQLOutputValue>;
type Reads = Pick<
  Store,
  'session' | 'conversation' | 'queue' | 'read' | 'stepStart' | 'file' | 'idle' | 'ended'
>;

/** Work of one transaction never spans two turns of the event loop, so a read meets committed rows only. */
export function prepareReads(connection: DatabaseSync): Reads {
  const session = `
    SELECT id, tenant_id AS tenantId, agent_id AS agentId, interface, conversation_id AS conversationId, visitor,
      status, state, next_index AS nextIndex, created_at AS createdAt, active_at AS activeAt
    FROM sessions`;
  const byId = connection.prepare(`${session} WHERE id = ?`);
  const byConversation = connection.prepare(`${session} WHERE agent_id = ? AND conversation_id = ?`);
  const key = '(SELECT key FROM sessions WHERE id = ?)';
  const queue = connection.prepare(`
    SELECT id, position, body, accepted_at AS acceptedAt FROM queue WHERE session = ${key} ORDER BY position`);
  const events = connection.prepare(`
    SELECT idx, type, data, id, at, concealed, item_id AS itemId
    FROM events WHERE session = ${key} AND idx >= ? ORDER BY idx LIMIT ?`);
  const stepStart = connection.prepare(`
    SELECT max(idx) AS idx FROM events WHERE session = ${key} AND type = 'step.started' AND idx <= ?`);
  const file = connection.prepare(`
    SELECT files.id, sessions.id AS sessionId, media_type AS mediaType, filename, bytes
    FROM files JOIN sessions ON sessions.key = files.session WHERE files.id = ?`);
  const idle = connection.prepare(`
    SELECT id FROM sessions WHERE status = 'open' AND active_at < ? ORDER BY active_at, id LIMIT ?`);
  const ended = connection.prepare(`
    SELECT id FROM sessions WHERE status <> 'open' AND agent_id = ? AND active_at < ? ORDER BY active_at, id LIMIT ?`);
  const endedOrphans = connection.prepare(`
    SELECT id FROM sessions WHERE status <> 'open' AND active_at < ?
      AND NOT EXISTS (SELECT 1 FROM agents WHERE agents.id = sessions.agent_id)
    ORDER BY active_at, id LIMIT ?`);
  const idleOfAgent = connection.prepare(`
    SELECT id FROM sessions WHERE status = 'open' AND agent_id = ? AND active_at < ? ORDER BY active_at, id LIMIT ?`);

  return {
    session: async (id) => sessionRecord(byId.get(id)),
    conversation: async (agentId, conversationId) =>
      sessionRecord(byConversation.get(agentId, conversationId)),
    queue: async (sessionId) =>
      queue.all(sessionId).map(({ id, position, body, acceptedAt }) => ({
        id: String(id),
        position: Number(position),
        body: JSON.parse(String(body)),
        acceptedAt: Number(acceptedAt),
      })),
    read: async (sessionId, from, limit) => events.all(sessionId, from, limit).map(storedEvent),
    stepStart: async (sessionId, index) => Number(stepStart.get(sessionId, index)?.['idx'] ?? 0),
    async file(id) {
      const row = file.get(id);
      if (row === undefined) return null;
      const { sessionId, mediaType, filename, bytes } = row;
      return {
        id,
        sessionId: String(sessionId),
        mediaType: String(mediaType),
        filename: filename === null ? null : String(filename),
        bytes: bytes as Uint8Array,
      };
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
