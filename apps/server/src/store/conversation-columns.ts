import { type RawBuilder, sql } from 'kysely';
import type { ConversationSummary, InboxOf } from './conversation-store.ts';
import type { QueryEngine, Row } from './query-engine.ts';

/** Where a session's first message is looked for: beyond them the list would read whole logs. */
const firstEvents = 50;
/** Characters of it that a list shows. */
const excerptLength = 200;
/** Turns at the end of a session of which one may wait. */
const lastTurns = 20;

/** What is asked of a row of `sessions` as a conversation. */
export interface ConversationColumns {
  /** Aliased to the fields of a summary. */
  readonly columns: RawBuilder<unknown>;
  readonly isRated: (rating: 'up' | 'down') => RawBuilder<unknown>;
  readonly isInInbox: (of: InboxOf) => RawBuilder<unknown>;
  readonly isStanding: Readonly<Record<ConversationSummary['status'], RawBuilder<unknown>>>;
}

/** What a member looks after, or was handed an approval of that waits: `asked_of_id` is the first alone of those who were. */
const isOwn = (memberId: string) => sql`(assignee_id = ${memberId} OR (waiting_since IS NOT NULL AND EXISTS (
  SELECT 1 FROM thread_delegates WHERE thread_delegates.session = threads.session AND member_id = ${memberId})))`;

export function conversationColumns({ jsonText }: Pick<QueryEngine, 'jsonText'>): ConversationColumns {
  const firstMessage = sql`(
    SELECT ${jsonText('data', 'message')} FROM events
    WHERE events.session = sessions.key AND idx < ${sql.lit(firstEvents)} AND type = 'message.received'
    ORDER BY idx LIMIT 1)`;
  const turns = sql`(SELECT coalesce(max(sequence) + 1, 0) FROM turns AS own WHERE own.session = sessions.key)`;
  const isWaiting = sql`(sessions.status = 'open' AND EXISTS (
    SELECT 1 FROM turns AS own WHERE own.session = sessions.key AND own.status = 'waiting'
      AND own.sequence >= ${turns} - ${sql.lit(lastTurns)}))`;
  const isRated = (rating: 'up' | 'down') => sql`EXISTS (
    SELECT 1 FROM feedback WHERE feedback.session = sessions.key AND rating = ${sql.lit(rating)})`;
  const isUnassigned = sql`(sessions.status = 'open' AND NOT EXISTS (
    SELECT 1 FROM threads WHERE threads.session = sessions.key AND assignee_id IS NOT NULL))`;
  const hasThread = (where: RawBuilder<unknown>) => sql`(sessions.status = 'open' AND EXISTS (
    SELECT 1 FROM threads WHERE threads.session = sessions.key AND ${where}))`;
  const standing = (of: InboxOf) => {
    if (typeof of === 'object') return hasThread(isOwn(of.memberId));
    if (of === 'waiting') return hasThread(sql`waiting_since IS NOT NULL`);
    return of === 'unassigned' ? isUnassigned : sql`1 = 1`;
  };
  return {
    columns: sql`
      sessions.id AS id, sessions.tenant_id AS "tenantId", sessions.agent_id AS "agentId", interface,
      conversation_id AS "conversationId", visitor, created_at AS "createdAt", active_at AS "activeAt",
      CASE WHEN sessions.status <> 'open' THEN 'ended' WHEN ${isWaiting} THEN 'waiting' ELSE 'open' END AS status,
      substr(${firstMessage}, 1, ${sql.lit(excerptLength + 1)}) AS "firstMessage", ${turns} AS turns,
      CASE WHEN ${isRated('down')} THEN 'down' WHEN ${isRated('up')} THEN 'up' END AS rating`,
    isRated,
    isInInbox: (of) => sql`(interface = 'sessions' AND ${standing(of)})`,
    isStanding: {
      open: sql`(sessions.status = 'open' AND NOT ${isWaiting})`,
      waiting: isWaiting,
      ended: sql`sessions.status <> 'open'`,
    },
  };
}

/** Of a row with the columns, whatever else it has. */
export function conversationSummary(row: Row): ConversationSummary {
  const { id, tenantId, agentId, conversationId, visitor, createdAt, activeAt, status, turns, rating } = row;
  // The engines count code points.
  const text = row['firstMessage'] == null ? null : Array.from(String(row['firstMessage']));
  const summary = {
    id,
    tenantId,
    agentId,
    interface: row['interface'],
    conversationId,
    visitor,
    status,
    rating,
    firstMessage: text && text.slice(0, excerptLength).join('') + (text.length > excerptLength ? '…' : ''),
    turns: Number(turns),
    createdAt,
    activeAt,
  };
  // The columns are aliased to the fields.
  return summary as unknown as ConversationSummary;
}
