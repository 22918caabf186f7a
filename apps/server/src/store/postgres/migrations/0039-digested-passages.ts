import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE digested_passages (
    passage bigint PRIMARY KEY REFERENCES passages ON DELETE CASCADE,
    page bigint NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL
  )`,
  // Hashes do not get shorter.
  'ALTER TABLE digested_passages ALTER COLUMN digest SET STORAGE EXTERNAL',
  // The version before still writes there.
  'TRUNCATE passage_digests',
];

/**
 * All that a search asks of a passage in one row, the digest as text: bytes come to a client as twice as many digits.
 * Passages that are there get theirs when they are found.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
