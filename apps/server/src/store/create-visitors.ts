import { maxPageBytes } from '@parley/protocol/bounds';
import { sql } from 'kysely';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { QueryEngine } from './query-engine.ts';
import type { VisitorSession, VisitorStore } from './visitor-store.ts';

/** Where a session's first message is looked for: beyond them the list would read whole logs. */
const firstEvents = 50;

export function createVisitors({ queries, read, write, jsonText }: QueryEngine): VisitorStore {
  return {
    async assignVisitor(sessionId, visitor) {
      const assigned = queries
        .updateTable('sessions')
        .set({ visitor })
        .where('id', '=', sessionId)
        .where((where) => where.or([where('visitor', 'is', null), where('visitor', '=', visitor)]))
        .returning('id');
      return (await write(assigned.compile())).length > 0;
    },

    async listVisitorSessions({ tenantId, agentId, visitor, after, limit }) {
      const place = after === null ? null : decodeCursor(after);
      const placeTime = place === null ? Number.MAX_SAFE_INTEGER : Number(place.createdAt);
      const createdAt = Number.isSafeInteger(placeTime) ? placeTime : 0;
      const order = sql`(ORDER BY "createdAt" DESC, id DESC)`;
      const rows = await read(
        sql`
          SELECT * FROM (
            SELECT listed.*, row_number() OVER ${order} AS page_row, lead(id) OVER ${order} AS page_next,
              sum(coalesce(octet_length("firstMessage"), 0)) OVER ${order} AS page_bytes
            FROM (
              SELECT id, status, created_at AS "createdAt", active_at AS "activeAt",
                (SELECT ${jsonText('data', 'message')} FROM events
                  WHERE events.session = sessions.key AND idx < ${firstEvents} AND type = 'message.received'
                  ORDER BY idx LIMIT 1) AS "firstMessage"
              FROM sessions
              WHERE tenant_id = ${tenantId} AND agent_id = ${agentId} AND visitor = ${visitor}
                AND status <> 'reset' AND (created_at, id) < (${createdAt}, ${place?.id ?? ''})
              ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}
            ) AS listed
          ) AS page
          WHERE page_row = 1 OR page_bytes <= ${maxPageBytes}
          ORDER BY "createdAt" DESC, id DESC`.compile(queries),
      );
      let next: string | null = null;
      const items = rows.slice(0, limit).map(({ page_row: _row, page_next, page_bytes: _bytes, ...row }) => {
        // The columns are aliased to the record's fields.
        const session = row as unknown as VisitorSession;
        next =
          page_next === null ? null : encodeCursor({ createdAt: String(session.createdAt), id: session.id });
        return session;
      });
      return { items, next };
    },
  };
}
