import { sql, type Kysely } from 'kysely';

const statements = [
  'ALTER TABLE appointments ADD COLUMN conversation text COLLATE "C"',
  'CREATE INDEX appointments_by_conversation ON appointments (conversation) WHERE conversation IS NOT NULL',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
