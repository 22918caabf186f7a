import { sql, type Kysely } from 'kysely';

const statements = [
  // How long the log was when the item was accepted; null for items of earlier versions, which did not keep it.
  'ALTER TABLE queue ADD COLUMN accepted_index INTEGER',
  `CREATE INDEX input_requests ON events (session, idx) WHERE type = 'input.requested'`,

  `CREATE TABLE call_results (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (session, call_id)
  ) STRICT`,

  // An ended session runs nothing and is held by nobody.
  `DELETE FROM queue WHERE session IN (SELECT key FROM sessions WHERE status <> 'open')`,
  `UPDATE sessions SET owner = NULL, lease_until = 0, wake_at = NULL
    WHERE status <> 'open' AND (owner IS NOT NULL OR wake_at IS NOT NULL)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
