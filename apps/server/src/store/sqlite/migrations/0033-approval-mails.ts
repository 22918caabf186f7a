import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE approval_mails (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    request_id TEXT NOT NULL,
    address TEXT NOT NULL,
    member_id TEXT,
    is_reminder INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX approval_mails_due ON approval_mails (due_at)',
  'CREATE INDEX approval_mails_of_session ON approval_mails (session)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
