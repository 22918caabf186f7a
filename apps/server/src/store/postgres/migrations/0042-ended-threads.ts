import { sql, type Kysely } from 'kysely';

/**
 * In what has ended nobody answers and nobody waits, as commits say from now on: what is held is found without going
 * through it. One that somebody else writes at the moment may stay as it is: whoever asks looks at the session, too. It
 * comes before what locks the table, so that others write what is open meanwhile.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE threads SET holder_id = NULL, holder_name = NULL, waiting_since = NULL
    WHERE session IN (
      SELECT threads.session FROM threads JOIN sessions ON sessions.key = threads.session
      WHERE (holder_id IS NOT NULL OR waiting_since IS NOT NULL) AND sessions.status <> 'open'
      FOR NO KEY UPDATE OF threads SKIP LOCKED
    )`.execute(db);
}
