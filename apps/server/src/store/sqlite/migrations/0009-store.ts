import { sql, type Kysely } from 'kysely';

const statements = [
  // Sessions that nobody sees any more while their rows are erased.
  `CREATE INDEX removed_sessions ON sessions (key) WHERE status = 'removed'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
