import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE tenants ADD COLUMN prices text',
  'CREATE INDEX feedback_by_time ON feedback (agent_id, at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
