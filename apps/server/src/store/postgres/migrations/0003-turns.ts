import { sql, type Kysely } from 'kysely';

const statements = [
  `CREATE TABLE turns (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session bigint NOT NULL,
    sequence integer NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    status text NOT NULL,
    item_id text,
    author text NOT NULL,
    configuration text,
    model_id text,
    first_index bigint NOT NULL,
    last_index bigint,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    started_at bigint NOT NULL,
    first_delta_at bigint,
    ended_at bigint,
    UNIQUE (session, sequence)
  )`,
  'CREATE INDEX turns_of_agent ON turns (agent_id, started_at)',
  `CREATE INDEX waiting_turns ON turns (agent_id, started_at) WHERE status = 'waiting'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
