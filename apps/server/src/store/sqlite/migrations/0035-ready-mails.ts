import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE ready_mails (
    session INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE,
    sequence INTEGER NOT NULL,
    address TEXT NOT NULL,
    language TEXT NOT NULL,
    origin TEXT,
    asked_at INTEGER NOT NULL,
    due_at INTEGER,
    expires_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX ready_mails_due ON ready_mails (due_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
