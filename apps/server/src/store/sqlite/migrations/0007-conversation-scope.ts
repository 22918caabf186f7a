import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE sessions ADD COLUMN conversation_scope TEXT',
  // Which kind of key began a conversation was not kept: a server goes on with it, a page begins afresh.
  `UPDATE sessions SET conversation_scope = 'secret' WHERE conversation_id IS NOT NULL`,
  'DROP INDEX conversations',
  `CREATE UNIQUE INDEX conversations ON sessions (agent_id, conversation_scope, conversation_id)
    WHERE conversation_id IS NOT NULL`,

  // A turn acts for whoever sent what it begins with. Of what was sent before, the session's visitor is known.
  `UPDATE sessions SET state = json_set(state, '$.turn.visitor', visitor) WHERE json_type(state, '$.turn') = 'object'`,
  `UPDATE queue SET body = json_set(body, '$.visitor', (SELECT visitor FROM sessions WHERE key = queue.session))
    WHERE json_extract(body, '$.kind') = 'delivery'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
