import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE threads (
    session INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    holder_id TEXT,
    holder_name TEXT,
    assignee_id TEXT,
    assignee_name TEXT,
    waiting_since INTEGER,
    changed_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX threads_waiting ON threads (waiting_since, session) WHERE waiting_since IS NOT NULL',
  'CREATE INDEX threads_of_assignee ON threads (assignee_id, changed_at, session) WHERE assignee_id IS NOT NULL',
  `CREATE TABLE thread_notes (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    author_id TEXT NOT NULL,
    author_name TEXT NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX notes_of_session ON thread_notes (session)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
