import { sql } from 'kysely';
import { conversationColumns, conversationSummary } from './conversation-columns.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { QueryEngine } from './query-engine.ts';
import { decodePlace, encodePlace, turnColumns } from './create-turns.ts';
import type { TurnRecord } from './turn-store.ts';

export function createConversations(engine: QueryEngine): Omit<ConversationStore, 'findConversations'> {
  const { queries, read } = engine;
  const { columns, isRated, isStanding, isInInbox } = conversationColumns(engine);

  return {
    async listConversations(query) {
      const { agentIds, status, rating, inbox, from, before, after, limit, maxLookedAt } = query;
      if (agentIds.length === 0) return { items: [], next: null };
      const place = decodePlace(after);
      const [startedAt, key] = place[0] < before ? place : [before, 0];
      // Of a limit, or a range, that it does not know, a planner thinks that few rows are in it, and sorts all there are.
      const latest = sql`ORDER BY started_at DESC, key DESC LIMIT ${sql.lit(maxLookedAt)}`;
      // Of each agent as many as could all be the latest: in one list of all agents they would be sorted.
      const ofAgents = agentIds.map(
        (agentId) => sql`
          SELECT * FROM (
            SELECT key, session, sequence, started_at FROM turns
            WHERE agent_id = ${agentId} AND (started_at, key) < (${startedAt}, ${key}) ${latest}
          ) AS of_agent`,
      );
      const rows = await read(
        sql`
          WITH looked_at AS (SELECT * FROM (${sql.join(ofAgents, sql` UNION ALL `)}) AS of_all ${latest}),
          edge AS (SELECT count(*) AS count, min(started_at) AS started_at FROM looked_at)
          SELECT edge.count AS "lookedAt", edge.started_at AS "edgeStartedAt",
            (SELECT min(key) FROM looked_at WHERE looked_at.started_at = edge.started_at) AS "edgeKey", found.*
          FROM edge LEFT JOIN (
            SELECT looked_at.key AS place, looked_at.started_at AS "startedAt", ${columns}
            FROM looked_at JOIN sessions ON sessions.key = looked_at.session
            WHERE sessions.status <> 'removed' AND looked_at.started_at >= ${from}
              AND NOT EXISTS (
                SELECT 1 FROM turns AS later WHERE later.session = looked_at.session
                  AND later.sequence > looked_at.sequence AND later.started_at < ${before})
              ${inbox === undefined ? sql`` : sql`AND ${isInInbox(inbox)}`}
              ${status ? sql`AND ${isStanding[status]}` : sql``} ${rating ? sql`AND ${isRated(rating)}` : sql``}
            ORDER BY looked_at.started_at DESC, looked_at.key DESC LIMIT ${limit + 1}
          ) AS found ON 1 = 1
          ORDER BY found."startedAt" DESC, found.place DESC`.compile(queries),
      );
      const found = rows.filter(({ place }) => place !== null);
      const [first] = rows;
      const last = found[limit - 1];
      const edge = { startedAt: first?.['edgeStartedAt'], place: first?.['edgeKey'] };
      const isEnd = Number(first?.['lookedAt']) < maxLookedAt || Number(edge.startedAt) < from;
      const next = found.length > limit && last ? last : isEnd ? null : edge;
      return { items: found.slice(0, limit).map(conversationSummary), next: next && encodePlace(next) };
    },

    async getConversation(sessionId) {
      const [row] = await read(
        sql`SELECT ${columns} FROM sessions WHERE id = ${sessionId} AND sessions.status <> 'removed'`.compile(
          queries,
        ),
      );
      return row === undefined ? null : conversationSummary(row);
    },

    async getConversations(sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await read(
        sql`
          SELECT ${columns} FROM sessions
          WHERE id IN (${sql.join(sessionIds)}) AND sessions.status <> 'removed'`.compile(queries),
      );
      return rows.map(conversationSummary);
    },

    async listTurnsOf(sessionId, { after, limit }) {
      const from = after !== null && /^\d{1,9}$/.test(after) ? Number(after) : -1;
      const rows = await read(
        sql`
          SELECT ${turnColumns} FROM turns JOIN sessions ON sessions.key = turns.session
          WHERE turns.session = (SELECT key FROM sessions WHERE id = ${sessionId}) AND sequence > ${from}
          ORDER BY sequence LIMIT ${limit + 1}`.compile(queries),
      );
      // The columns are aliased to the record's fields.
      const items = rows.slice(0, limit).map(({ place: _place, ...row }) => row as unknown as TurnRecord);
      const last = items.at(-1);
      return { items, next: rows.length > limit && last ? String(last.sequence) : null };
    },
  };
}
