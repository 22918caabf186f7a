import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE open_questions (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    agent_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    question TEXT NOT NULL,
    turn INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (session, digest)
  ) STRICT`,
  'CREATE INDEX open_questions_of_agent ON open_questions (agent_id, at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
