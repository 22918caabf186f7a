import { sql } from 'kysely';
import { type MessageStore, searchedLength, searchedTypes, type UnsearchedRange } from './message-store.ts';
import type { QueryEngine } from './query-engine.ts';

/** Parts of logs that are read at once, and events of each. */
const ranges = 10;
const events = 200;
/** Messages of them together. */
const maxMessages = 50;

export function createMessages({
  queries,
  read,
  jsonText,
}: QueryEngine): Pick<MessageStore, 'listUnsearched'> {
  const last = sql`unsearched_events.last_index`;
  const window = sql`unsearched_events.first_index + ${sql.lit(events - 1)}`;
  return {
    async listUnsearched() {
      const rows = await read(
        sql`
          WITH due AS (
            SELECT session, first_index, last_index,
              CASE WHEN ${last} < ${window} THEN ${last} ELSE ${window} END AS until
            FROM unsearched_events JOIN sessions ON sessions.key = session AND status <> 'removed'
            ORDER BY session, first_index LIMIT ${sql.lit(ranges)}
          )
          SELECT due.session, due.first_index AS first, due.last_index AS last, due.until, tenant_id AS "tenantId",
            visitor, conversation_id AS "conversationId", idx,
            substr(${jsonText('data', 'message')}, 1, ${sql.lit(searchedLength)}) AS text
          FROM due JOIN sessions ON sessions.key = due.session
            LEFT JOIN events ON events.session = due.session AND idx BETWEEN due.first_index AND due.until
              AND type IN (${sql.join(searchedTypes.map((type) => sql.lit(type)))})
          ORDER BY due.session, due.first_index, idx LIMIT ${sql.lit(maxMessages)}`.compile(queries),
      );
      const isCut = rows.length === maxMessages;
      const found = [
        ...Map.groupBy(rows, ({ session, first }) => `${String(session)} ${String(first)}`).values(),
      ];
      return found.map((own, position): UnsearchedRange => {
        const [first] = own;
        const messages = own
          .filter(({ idx }) => idx !== null)
          .map(({ idx, text }) => ({ index: Number(idx), text: String(text ?? '') }));
        const isLast = position === found.length - 1;
        const until = isCut && isLast ? (messages.at(-1)?.index ?? first!['until']) : first!['until'];
        return {
          session: Number(first!['session']),
          tenantId: String(first!['tenantId']),
          visitor: first!['visitor'] as string | null,
          conversationId: first!['conversationId'] as string | null,
          first: Number(first!['first']),
          last: Number(first!['last']),
          until: Number(until),
          messages,
        };
      });
    },
  };
}
