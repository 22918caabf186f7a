import type { DatabaseSync } from 'node:sqlite';
import type { FeedbackQuery, FeedbackRecord, Store, TurnFeedback } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';

/** `Store.rate` and `Store.feedback`. */
export function prepareFeedback(
  connection: DatabaseSync,
  commits: GroupCommit,
): Pick<Store, 'rate' | 'feedback'> {
  const put = connection.prepare(`
    INSERT INTO feedback (session, turn_id, agent_id, rating, comment, at)
    SELECT key, ?2, agent_id, ?3, ?4, ?5 FROM sessions WHERE id = ?1
    ON CONFLICT (session, turn_id) DO UPDATE SET rating = excluded.rating, comment = excluded.comment, at = excluded.at`);
  const drop = connection.prepare(
    'DELETE FROM feedback WHERE session = (SELECT key FROM sessions WHERE id = ?) AND turn_id = ?',
  );
  const known = connection.prepare('SELECT 1 FROM sessions WHERE id = ?');
  const list = connection.prepare(`
    SELECT feedback.key AS place, sessions.id AS sessionId, turn_id AS turnId, rating, comment, at
    FROM feedback JOIN sessions ON sessions.key = feedback.session
    WHERE feedback.agent_id = ? AND feedback.key > ? AND sessions.status <> 'removed'
    ORDER BY feedback.key LIMIT ?`);

  return {
    rate: (sessionId: string, { turnId, rating, comment, at }: TurnFeedback) => {
      const work = () => {
        if (known.get(sessionId) === undefined) return false;
        if (rating === null) drop.run(sessionId, turnId);
        else put.run(sessionId, turnId, rating, comment, at);
        return true;
      };
      // What is taken back is gone from the files too.
      return rating === null ? commits.erase(work) : commits.write(work);
    },

    async feedback({ agentId, after, limit }: FeedbackQuery) {
      const from = after !== null && /^\d{1,15}$/.test(after) ? Number(after) : 0;
      const rows = list.all(agentId, from, limit + 1);
      // The columns are aliased to the record's fields.
      const items = rows.slice(0, limit).map(({ place: _place, ...row }) => row as unknown as FeedbackRecord);
      const last = rows[limit - 1];
      return { items, next: rows.length > limit && last !== undefined ? String(last['place']) : null };
    },
  };
}
