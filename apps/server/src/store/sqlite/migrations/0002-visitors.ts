import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE sessions ADD COLUMN visitor TEXT',
  `CREATE INDEX sessions_of_visitor ON sessions (agent_id, visitor, created_at, id) WHERE visitor IS NOT NULL`,

  `CREATE TABLE feedback (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    turn_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    rating TEXT NOT NULL,
    comment TEXT,
    at INTEGER NOT NULL,
    UNIQUE (session, turn_id)
  ) STRICT`,
  'CREATE INDEX feedback_of_agent ON feedback (agent_id, key)',

  // What a session keeps between turns now names the page's tools, and which calls wait for the page.
  `UPDATE sessions SET state = json_set(state, '$.clientTools', json('[]')) WHERE json_type(state) = 'object'`,
  `UPDATE sessions SET state = json_set(state, '$.parked.delegated', json('[]'))
    WHERE json_type(state, '$.parked') = 'object'`,
  `UPDATE sessions SET state = json_set(state, '$.turn.step.delegated', json('[]'))
    WHERE json_type(state, '$.turn.step') = 'object'`,
  `UPDATE queue SET body = json_set(body, '$.results', json('[]'), '$.clientTools', json('null'))
    WHERE json_extract(body, '$.kind') = 'delivery'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
