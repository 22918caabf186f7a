import type { DatabaseSync } from 'node:sqlite';
import { maxPageBytes } from '@parley/protocol/bounds';
import type { Store, VisitorQuery, VisitorSession } from '../store.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { GroupCommit } from './group-commit.ts';

/** Where a session's first message is looked for: beyond them the list would read whole logs. */
const firstEvents = 50;

/** `Store.bind` and `Store.visitorSessions`. */
export function prepareVisitors(
  connection: DatabaseSync,
  commits: GroupCommit,
): Pick<Store, 'bind' | 'visitorSessions'> {
  const bind = connection.prepare(
    'UPDATE sessions SET visitor = ?2 WHERE id = ?1 AND (visitor IS NULL OR visitor = ?2)',
  );
  const list = connection.prepare(`
    SELECT id, status, created_at AS createdAt, active_at AS activeAt,
      (SELECT data ->> '$.message' FROM events
        WHERE events.session = sessions.key AND idx < ${firstEvents} AND type = 'message.received'
        ORDER BY idx LIMIT 1) AS firstMessage
    FROM sessions
    WHERE tenant_id = ? AND agent_id = ? AND visitor = ? AND status <> 'reset' AND (created_at, id) < (?, ?)
    ORDER BY created_at DESC, id DESC LIMIT ?`);

  return {
    bind: (sessionId, visitor) => commits.write(() => bind.run(sessionId, visitor).changes === 1),

    async visitorSessions({ tenantId, agentId, visitor, after, limit }: VisitorQuery) {
      const place = after === null ? null : decodeCursor(after);
      const createdAt = place === null ? Number.MAX_SAFE_INTEGER : Number(place.createdAt) || 0;
      const items: VisitorSession[] = [];
      let bytes = 0;
      for (const row of list.iterate(tenantId, agentId, visitor, createdAt, place?.id ?? '', limit + 1)) {
        // The columns are aliased to the record's fields.
        const session = row as unknown as VisitorSession;
        bytes += session.firstMessage?.length ?? 0;
        const last = items.at(-1);
        if (last !== undefined && (items.length === limit || bytes > maxPageBytes))
          return { items, next: encodeCursor({ createdAt: String(last.createdAt), id: last.id }) };
        items.push(session);
      }
      return { items, next: null };
    },
  };
}
