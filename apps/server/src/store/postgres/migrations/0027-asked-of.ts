import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE threads ADD COLUMN asked_of_id text',
  'ALTER TABLE threads ADD COLUMN asked_of_name text',
  'CREATE INDEX threads_asked_of ON threads (asked_of_id, changed_at, session) WHERE asked_of_id IS NOT NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
