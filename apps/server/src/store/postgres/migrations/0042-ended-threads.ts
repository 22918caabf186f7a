import { sql, type Kysely } from 'kysely';

/**
 * In what has ended nobody answers, nobody waits and nothing is asked of anybody, as commits say from now on: what is held
 * or asked is found without going through it. One that somebody else writes at the moment may stay as it is, and so may one
 * that a process of the version before ends later: whoever asks looks at the session, too. It comes before what locks the
 * table, so that others write what is open meanwhile.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE threads SET holder_id = NULL, holder_name = NULL, waiting_since = NULL, asked_of_id = NULL
    WHERE session IN (
      SELECT threads.session FROM threads JOIN sessions ON sessions.key = threads.session
      WHERE (holder_id IS NOT NULL OR waiting_since IS NOT NULL OR asked_of_id IS NOT NULL) AND sessions.status <> 'open'
      FOR NO KEY UPDATE OF threads SKIP LOCKED
    )`.execute(db);
  await sql`
    DELETE FROM thread_delegates WHERE (session, member_id) IN (
      SELECT session, member_id FROM thread_delegates JOIN sessions ON sessions.key = session
      WHERE sessions.status <> 'open'
      FOR UPDATE OF thread_delegates SKIP LOCKED
    )`.execute(db);
}
