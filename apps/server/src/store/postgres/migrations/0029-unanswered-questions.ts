import { sql, type Kysely } from 'kysely';

const dayMs = 86_400_000;

const statements = [
  `CREATE TABLE unanswered_questions (
    agent_id text COLLATE "C" NOT NULL REFERENCES agents ON DELETE CASCADE,
    day bigint NOT NULL,
    count integer NOT NULL,
    PRIMARY KEY (agent_id, day)
  )`,
  // Of what waits for an answer already, all that is known is when it was asked last.
  `INSERT INTO unanswered_questions (agent_id, day, count)
   SELECT open_questions.agent_id, at / ${dayMs} * ${dayMs}, sum(asked)
   FROM open_questions JOIN agents ON agents.id = open_questions.agent_id
     JOIN sessions ON sessions.key = session AND sessions.agent_id = open_questions.agent_id
   GROUP BY open_questions.agent_id, at / ${dayMs}`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
