import { sql, type Kysely } from 'kysely';

/**
 * What is wide stands beside its row: whoever counts the passages of a term reads a tenth of the pages. Passages that are
 * there stay as they are until they are read anew.
 */
const narrow = 'ALTER TABLE passages SET (toast_tuple_target = 128)';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(narrow).execute(db);
}
