import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE approval_mails ADD COLUMN ends_at INTEGER',
  'UPDATE approval_mails SET ends_at = due_at + 7 * 86400000',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
