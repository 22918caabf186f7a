import { sql, type Kysely } from 'kysely';

const statements = [
  // Removed sessions are hidden first and erased page by page: the start finds those that are left.
  `CREATE INDEX removed_sessions ON sessions (key) WHERE status = 'removed'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
