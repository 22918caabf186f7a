import { sql } from 'kysely';
import { conversationColumns, conversationSummary } from './conversation-columns.ts';
import type { ConversationStore } from './conversation-store.ts';
import { searchedLength } from './message-store.ts';
import type { QueryEngine } from './query-engine.ts';

/** Messages with the words, right after those of a page, whose conversations earlier pages are known to have found. */
const maxKnown = 2_000;

/** Conversations by the words of their messages. */
export function createFoundConversations(engine: QueryEngine): Pick<ConversationStore, 'findConversations'> {
  const { queries, read, messagesWith, jsonText } = engine;
  const { columns, isRated, isStanding, isInInbox } = conversationColumns(engine);
  return {
    async findConversations(query) {
      const { tenantId, agentIds, words, status, rating, inbox, from, before, after, limit } = query;
      const { maxLookedAt, maxMessages } = query;
      const { terms, beginning } = words;
      if (agentIds.length === 0 || (terms.length === 0 && beginning === null))
        return { items: [], next: null };
      const place = decodePlace(after);
      const [newest] = place
        ? []
        : await read(sql`SELECT max(key) AS key FROM searched_messages`.compile(queries));
      const until = place?.edge ?? Number(newest?.['key'] ?? 0) + 1;
      const end = place?.end ?? until;
      const since = Math.max(0, until - maxMessages);
      // A conversation that an earlier page has found is found no more. By what came since the first page none of them has.
      const later = { since: until, before: end, limit: maxKnown };
      const message = sql`(
        SELECT ${jsonText('data', 'message')} FROM searched_messages AS own JOIN events
          ON events.session = own.session AND events.idx = own.idx WHERE own.key = found.place)`;
      const rows = await read(
        sql`
          -- The cross join keeps a planner from looking for all messages in the few that were looked at.
          WITH looked_at AS (${messagesWith(words, { since, before: until, limit: maxLookedAt, order: 'latest' })}),
          edge AS (SELECT count(*) AS count, min(key) AS key FROM looked_at),
          latest AS (
            SELECT session, max(searched_messages.key) AS key
            FROM looked_at CROSS JOIN searched_messages WHERE searched_messages.key = looked_at.key GROUP BY session
          ),
          known AS (
            SELECT session FROM (${messagesWith(words, { ...later, order: 'earliest' })}) AS found_before
              CROSS JOIN searched_messages WHERE searched_messages.key = found_before.key
          )
          SELECT edge.count AS "lookedAt", edge.key AS "edgeKey", found.*,
            substr(${message}, 1, ${sql.lit(searchedLength)}) AS message
          FROM edge LEFT JOIN (
            SELECT latest.key AS place, ${columns}
            FROM latest JOIN sessions ON sessions.key = latest.session
            WHERE sessions.status <> 'removed' AND sessions.tenant_id = ${tenantId}
              AND sessions.agent_id IN (${sql.join(agentIds)}) ${place === null ? sql`` : sql`AND latest.session NOT IN (SELECT session FROM known)`}
              ${inbox === undefined ? sql`` : sql`AND ${isInInbox(inbox)}`}
              AND EXISTS (
                SELECT 1 FROM turns AS own
                WHERE own.session = latest.session AND own.started_at >= ${from} AND own.started_at < ${before})
              ${status ? sql`AND ${isStanding[status]}` : sql``} ${rating ? sql`AND ${isRated(rating)}` : sql``}
            ORDER BY latest.key DESC LIMIT ${limit + 1}
          ) AS found ON 1 = 1
          ORDER BY found.place DESC`.compile(queries),
      );
      const found = rows.filter(({ place }) => place !== null);
      const [first] = rows;
      const last = found[limit - 1];
      const isCut = Number(first?.['lookedAt']) >= maxLookedAt;
      const next = Number(found.length > limit && last ? last['place'] : isCut ? first?.['edgeKey'] : since);
      return {
        items: found
          .slice(0, limit)
          .map((row) => ({ ...conversationSummary(row), message: String(row['message'] ?? '') })),
        next: next > 0 ? `${next}.${end}` : null,
      };
    },
  };
}

interface Place {
  /** The page begins before this message, */
  readonly edge: number;
  /** and the first page has begun before this one. */
  readonly end: number;
}

function decodePlace(after: string | null): Place | null {
  const [, edge, end] = /^(\d{1,15})(?:\.(\d{1,16}))?$/.exec(after ?? '') ?? [];
  // The version before did not say where its first page began.
  return edge === undefined ? null : { edge: Number(edge), end: Number(end ?? Number.MAX_SAFE_INTEGER) };
}
