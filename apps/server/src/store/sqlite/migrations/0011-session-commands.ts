import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE session_commands (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    outcome TEXT
  ) STRICT`,
  'CREATE INDEX session_commands_by_session ON session_commands (session, finished_at)',
  'CREATE INDEX waiting_session_commands ON session_commands (position) WHERE finished_at IS NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
