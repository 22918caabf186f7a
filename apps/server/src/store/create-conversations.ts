import { type RawBuilder, sql } from 'kysely';
import type { ConversationStore, ConversationSummary } from './conversation-store.ts';
import type { QueryEngine, Row } from './query-engine.ts';
import { decodePlace, encodePlace, turnColumns } from './create-turns.ts';
import type { TurnRecord } from './turn-store.ts';

/** Where a session's first message is looked for: beyond them the list would read whole logs. */
const firstEvents = 50;
/** Characters of it that a list shows. */
const excerptLength = 200;
/** Turns at the end of a session of which one may wait. */
const lastTurns = 20;

export function createConversations({ queries, read, jsonText }: QueryEngine): ConversationStore {
  const firstMessage = sql`(
    SELECT ${jsonText('data', 'message')} FROM events
    WHERE events.session = sessions.key AND idx < ${sql.lit(firstEvents)} AND type = 'message.received'
    ORDER BY idx LIMIT 1)`;
  const turns = sql`(SELECT coalesce(max(sequence) + 1, 0) FROM turns AS own WHERE own.session = sessions.key)`;
  const isWaiting = sql`(sessions.status = 'open' AND EXISTS (
    SELECT 1 FROM turns AS own WHERE own.session = sessions.key AND own.status = 'waiting'
      AND own.sequence >= ${turns} - ${sql.lit(lastTurns)}))`;
  const isRated = (rating: string) => sql`EXISTS (
    SELECT 1 FROM feedback WHERE feedback.session = sessions.key AND rating = ${sql.lit(rating)})`;
  const columns = sql`
    sessions.id AS id, sessions.tenant_id AS "tenantId", sessions.agent_id AS "agentId", interface,
    conversation_id AS "conversationId", visitor, created_at AS "createdAt", active_at AS "activeAt",
    CASE WHEN sessions.status <> 'open' THEN 'ended' WHEN ${isWaiting} THEN 'waiting' ELSE 'open' END AS status,
    substr(${firstMessage}, 1, ${sql.lit(excerptLength + 1)}) AS "firstMessage", ${turns} AS turns,
    CASE WHEN ${isRated('down')} THEN 'down' WHEN ${isRated('up')} THEN 'up' END AS rating`;
  const standing: Record<ConversationSummary['status'], RawBuilder<unknown>> = {
    open: sql`AND sessions.status = 'open' AND NOT ${isWaiting}`,
    waiting: sql`AND ${isWaiting}`,
    ended: sql`AND sessions.status <> 'open'`,
  };

  return {
    async listConversations(query) {
      const { agentIds, status, rating, search, from, before, after, limit, maxLookedAt } = query;
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
      const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      const has = (text: RawBuilder<unknown>) => sql`lower(${text}) LIKE lower(${pattern}) ESCAPE '\\'`;
      const isSearched = sql`AND (${has(sql`visitor`)} OR ${has(sql`conversation_id`)} OR ${has(firstMessage)})`;
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
              ${status ? standing[status] : sql``} ${rating ? sql`AND ${isRated(rating)}` : sql``}
              ${search === undefined ? sql`` : isSearched}
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
      return { items: found.slice(0, limit).map(summary), next: next && encodePlace(next) };
    },

    async getConversation(sessionId) {
      const [row] = await read(
        sql`SELECT ${columns} FROM sessions WHERE id = ${sessionId} AND sessions.status <> 'removed'`.compile(
          queries,
        ),
      );
      return row === undefined ? null : summary(row);
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

function summary({ firstMessage, turns, ...row }: Row): ConversationSummary {
  const {
    lookedAt: _count,
    edgeStartedAt: _at,
    edgeKey: _key,
    place: _place,
    startedAt: _start,
    ...rest
  } = row;
  // The engines count code points.
  const text = firstMessage == null ? null : Array.from(String(firstMessage));
  // The columns are aliased to the fields.
  return {
    ...(rest as unknown as ConversationSummary),
    firstMessage: text && text.slice(0, excerptLength).join('') + (text.length > excerptLength ? '…' : ''),
    turns: Number(turns),
  };
}
