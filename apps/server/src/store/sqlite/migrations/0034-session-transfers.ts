import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE session_transfers (
    session INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    digest TEXT NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
  ) STRICT`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
