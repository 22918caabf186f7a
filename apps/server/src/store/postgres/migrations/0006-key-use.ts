import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE keys ADD COLUMN last_used_at text`.execute(db);
}
