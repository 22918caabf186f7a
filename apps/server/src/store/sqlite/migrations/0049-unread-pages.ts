import { sql, type Kysely } from 'kysely';

/** Which pages of a website its last reading knew of and could not read, so that the next one need not look for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE sources ADD COLUMN unread_pages TEXT`.execute(db);
}
