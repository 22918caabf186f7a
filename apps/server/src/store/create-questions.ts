import { sql } from 'kysely';
import { auditEntry } from './create-audit.ts';
import { dayMs } from './day-ms.ts';
import type { Also, QueryEngine } from './query-engine.ts';
import type { OpenQuestion, QuestionStore } from './question-store.ts';

export function createQuestions({ queries, read, write, erase }: QueryEngine): QuestionStore {
  return {
    async saveQuestion({ sessionId, agentId }, { digest, question, turn, at }, keep) {
      const put = sql`
        INSERT INTO open_questions (session, agent_id, digest, question, turn, asked, at)
        SELECT key, ${agentId}, ${digest}, ${question}, ${turn}, 1, ${at} FROM sessions WHERE id = ${sessionId}
        ON CONFLICT (session, digest) DO UPDATE SET
          asked = open_questions.asked + 1, turn = excluded.turn, at = excluded.at
        WHERE open_questions.turn <> excluded.turn
        RETURNING key`;
      const count: Also = (written) => sql`
        INSERT INTO unanswered_questions (agent_id, day, count)
        SELECT agents.id, ${Math.floor(at / dayMs) * dayMs}, 1
        FROM agents JOIN sessions ON sessions.agent_id = agents.id
        WHERE agents.id = ${agentId} AND sessions.id = ${sessionId} AND ${written}
        ON CONFLICT (agent_id, day) DO UPDATE SET count = unanswered_questions.count + 1`;
      await write(put.compile(queries), count);
      const oldest = sql`
        SELECT at FROM open_questions WHERE agent_id = ${agentId} ORDER BY at DESC LIMIT 1 OFFSET ${keep - 1}`;
      await erase(
        sql`DELETE FROM open_questions WHERE agent_id = ${agentId} AND at < (${oldest})`.compile(queries),
      );
    },

    async listQuestions({ agentId, after, limit }) {
      const before = after !== null && /^\d{1,15}$/.test(after) ? Number(after) : Number.MAX_SAFE_INTEGER;
      const rows = await read(
        sql`
          SELECT latest.key AS place, latest.digest, latest.question, sessions.id AS "sessionId", found.asked, found.at
          FROM (
            SELECT max(open_questions.key) AS key, sum(asked) AS asked, max(at) AS at
            FROM open_questions JOIN sessions ON sessions.key = session
            WHERE open_questions.agent_id = ${agentId} AND status <> 'removed'
            GROUP BY digest) AS found
          JOIN open_questions AS latest ON latest.key = found.key
          JOIN sessions ON sessions.key = latest.session
          WHERE found.key < ${before} ORDER BY found.key DESC LIMIT ${limit + 1}`.compile(queries),
      );
      const items = rows.slice(0, limit).map(({ digest, question, sessionId, asked, at }): OpenQuestion => ({
        digest: String(digest),
        question: String(question),
        sessionId: String(sessionId),
        asked: Number(asked),
        at: Number(at),
      }));
      const last = rows[limit - 1];
      return { items, next: rows.length > limit && last !== undefined ? String(last['place']) : null };
    },

    async removeQuestion(agentId, digest, change) {
      await erase(
        sql`DELETE FROM open_questions WHERE agent_id = ${agentId} AND digest = ${digest} RETURNING key`.compile(
          queries,
        ),
        change && auditEntry(change),
      );
    },
  };
}
