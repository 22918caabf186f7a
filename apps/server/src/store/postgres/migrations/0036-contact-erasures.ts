import { sql, type Kysely } from 'kysely';

const statements = [
  // Who asked for it, as the log of changes names them, and when another process may go on with it.
  'ALTER TABLE contacts ADD COLUMN erasing_by text',
  'ALTER TABLE contacts ADD COLUMN erasing_until bigint',
  'CREATE INDEX contacts_being_erased ON contacts (erasing_until) WHERE erasing_until IS NOT NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
