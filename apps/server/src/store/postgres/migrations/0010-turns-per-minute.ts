import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE keys ADD COLUMN turns_per_minute integer`.execute(db);
}
