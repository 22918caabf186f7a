import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE appointments ADD COLUMN conversation TEXT').execute(db);
}
