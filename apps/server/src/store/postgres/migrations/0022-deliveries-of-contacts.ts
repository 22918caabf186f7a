import { sql, type Kysely } from 'kysely';

/** What was told of a contact is found when it is erased. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX deliveries_of_lane ON webhook_deliveries (lane) WHERE session IS NULL`.execute(db);
}
