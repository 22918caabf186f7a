import { sql, type Kysely } from 'kysely';

/**
 * In what has ended nobody answers, nobody waits and nothing is asked of anybody, as commits say from now on: what is held
 * or asked is found without going through it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE threads SET holder_id = NULL, holder_name = NULL, waiting_since = NULL, asked_of_id = NULL
    WHERE session IN (
      SELECT threads.session FROM threads JOIN sessions ON sessions.key = threads.session
      WHERE (holder_id IS NOT NULL OR waiting_since IS NOT NULL OR asked_of_id IS NOT NULL) AND sessions.status <> 'open'
    )`.execute(db);
  await sql`
    DELETE FROM thread_delegates
    WHERE session IN (SELECT key FROM sessions WHERE status <> 'open')`.execute(db);
}
