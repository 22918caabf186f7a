import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE open_questions (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session bigint NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    question text NOT NULL,
    turn integer NOT NULL,
    asked integer NOT NULL,
    at bigint NOT NULL,
    UNIQUE (session, digest)
  )`,
  'CREATE INDEX open_questions_of_agent ON open_questions (agent_id, at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
