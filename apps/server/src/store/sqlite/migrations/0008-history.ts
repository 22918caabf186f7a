import { sql, type Kysely } from 'kysely';

const statements = [
  // A turn is read, and withdrawn, without a look at every row of its session.
  'CREATE INDEX history_of_turn ON history (session, turn)',
  `CREATE TABLE context_windows (
    agent_id TEXT PRIMARY KEY REFERENCES agents ON DELETE CASCADE,
    model_id TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
