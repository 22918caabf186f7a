import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('CREATE TABLE secret_check (key INTEGER PRIMARY KEY CHECK (key = 1), value TEXT NOT NULL) STRICT')
    .execute(db);
}
