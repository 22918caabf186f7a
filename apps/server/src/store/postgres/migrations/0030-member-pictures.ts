import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const table = `CREATE TABLE member_pictures (
    member_id text COLLATE "C" PRIMARY KEY REFERENCES members ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL UNIQUE,
    picture text NOT NULL
  )`;
  await sql.raw(table).execute(db);
}
