import { sql, type Kysely } from 'kysely';

/** What members hold who are gone is found without reading every conversation of the team. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX threads_of_holder ON threads (holder_id, session) WHERE holder_id IS NOT NULL`.execute(
    db,
  );
}
