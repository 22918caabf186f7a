import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE sessions ADD COLUMN wake_at INTEGER',
  `CREATE INDEX waking_sessions ON sessions (wake_at) WHERE wake_at IS NOT NULL AND status = 'open'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
