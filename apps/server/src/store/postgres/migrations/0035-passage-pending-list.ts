import { sql, type Kysely } from 'kysely';

/**
 * What is written waits in a list of eight pages at most until many terms are sorted in at once, which takes a third of the
 * work from whoever writes. A search reads through so short a list unnoticed.
 */
const shortList = 'ALTER INDEX passage_terms SET (fastupdate = on, gin_pending_list_limit = 64)';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(shortList).execute(db);
}
