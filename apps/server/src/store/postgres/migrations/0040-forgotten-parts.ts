import { sql, type Kysely } from 'kysely';

/**
 * Of pages that had not changed, the version before forgot what stands behind their first 20 passages. Without a version
 * they are read in full the next time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`UPDATE pages SET version = NULL WHERE passages = 20 AND version IS NOT NULL`.execute(db);
}
