import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE session_transfers (
    session bigint PRIMARY KEY,
    digest text COLLATE "C" NOT NULL UNIQUE,
    expires_at bigint NOT NULL
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
