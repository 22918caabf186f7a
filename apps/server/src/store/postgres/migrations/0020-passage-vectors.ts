import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE passage_vectors (
    passage bigint PRIMARY KEY REFERENCES passages ON DELETE CASCADE,
    agent_id text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    vector bytea NOT NULL
  )`,
  'CREATE INDEX vectors_of_agent ON passage_vectors (agent_id, model, passage)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
