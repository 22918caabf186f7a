import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE passage_digests (
    passage bigint PRIMARY KEY REFERENCES passages ON DELETE CASCADE,
    digest bytea NOT NULL
  )`,
  // Hashes do not get shorter.
  'ALTER TABLE passage_digests ALTER COLUMN digest SET STORAGE EXTERNAL',
];

/**
 * What a search counts in each passage, in rows so narrow that two hundred of them cost little. Passages that are there
 * get theirs when they are found.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
