import { sql, type Kysely } from 'kysely';

/**
 * Sorted in a megabyte at a time, what a source says costs three fifths of what it does by eight pages. Searches beside a
 * reading look through what waits; its end sorts in the rest.
 */
const megabyte = 'ALTER INDEX passage_terms SET (gin_pending_list_limit = 1024)';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(megabyte).execute(db);
}
