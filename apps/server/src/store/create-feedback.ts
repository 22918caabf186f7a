import { type RawBuilder, sql } from 'kysely';
import type { FeedbackQuery, FeedbackRecord, FeedbackStore } from './feedback-store.ts';
import { queueDeliveries } from './create-webhooks.ts';
import type { Page } from './page.ts';
import type { QueryEngine } from './query-engine.ts';

export function createFeedback(engine: QueryEngine): FeedbackStore {
  const { queries, read, write, erase } = engine;

  async function list(
    where: RawBuilder<unknown>,
    { after, limit }: Pick<FeedbackQuery, 'after' | 'limit'>,
  ): Promise<Page<FeedbackRecord>> {
    const from = after !== null && /^\d{1,15}$/.test(after) ? Number(after) : 0;
    const rows = await read(
      sql`
        SELECT feedback.key AS place, sessions.id AS "sessionId", turn_id AS "turnId", rating, comment, at
        FROM feedback JOIN sessions ON sessions.key = feedback.session
        WHERE ${where} AND feedback.key > ${from} AND sessions.status <> 'removed'
        ORDER BY feedback.key LIMIT ${limit + 1}`.compile(queries),
    );
    // The columns are aliased to the record's fields.
    const items = rows.slice(0, limit).map(({ place: _place, ...row }) => row as unknown as FeedbackRecord);
    const last = rows[limit - 1];
    return { items, next: rows.length > limit && last !== undefined ? String(last['place']) : null };
  }

  return {
    async saveFeedback(sessionId, { turnId, rating, comment, at }, deliveries = []) {
      const session = queries.selectFrom('sessions').select('key').where('id', '=', sessionId);
      if (rating !== null) {
        const put = sql`
          INSERT INTO feedback (session, turn_id, agent_id, rating, comment, at)
          SELECT key, ${turnId}, agent_id, ${rating}, ${comment}, ${at} FROM sessions WHERE id = ${sessionId}
          ON CONFLICT (session, turn_id) DO UPDATE SET
            rating = excluded.rating, comment = excluded.comment, at = excluded.at
          WHERE feedback.rating <> excluded.rating OR feedback.comment IS DISTINCT FROM excluded.comment
          RETURNING key`;
        const queued = queueDeliveries(engine, sessionId, deliveries);
        const written = await write(put.compile(queries), ...queued);
        return written.length > 0 || (await read(session.compile())).length > 0;
      }
      if ((await read(session.compile())).length === 0) return false;
      // What is taken back is gone from the files too.
      await erase(
        queries.deleteFrom('feedback').where('turn_id', '=', turnId).where('session', '=', session).compile(),
      );
      return true;
    },

    listFeedback: ({ agentId, ...page }) => list(sql`feedback.agent_id = ${agentId}`, page),

    listSessionFeedback: ({ sessionId, ...page }) =>
      list(sql`feedback.session = (SELECT key FROM sessions WHERE id = ${sessionId})`, page),
  };
}
