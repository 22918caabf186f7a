import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const table = `CREATE TABLE member_pictures (
    member_id TEXT PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE,
    picture TEXT NOT NULL
  ) STRICT`;
  await sql.raw(table).execute(db);
}
