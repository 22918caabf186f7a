import { sql, type Kysely } from 'kysely';

const dayMs = 86_400_000;

const statements = [
  `CREATE TABLE removed_turns (
    agent_id text COLLATE "C" NOT NULL REFERENCES agents ON DELETE CASCADE,
    day bigint NOT NULL,
    model_id text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    turns bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    PRIMARY KEY (agent_id, day, model_id, status)
  )`,
  // Two processes that remove turns of the same day lock what counts them in one order; an agent that is counted stays until then.
  `CREATE FUNCTION count_removed_turns() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO removed_turns AS counted (agent_id, day, model_id, status, turns, input_tokens, output_tokens)
      SELECT agents.id, started_at / ${dayMs} * ${dayMs}, coalesce(model_id, ''), status,
        count(*), sum(input_tokens), sum(output_tokens)
      FROM gone JOIN (
        SELECT id FROM agents WHERE id IN (SELECT agent_id FROM gone) ORDER BY id FOR KEY SHARE
      ) AS agents ON agents.id = agent_id GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (agent_id, day, model_id, status) DO UPDATE SET turns = counted.turns + excluded.turns,
      input_tokens = counted.input_tokens + excluded.input_tokens,
      output_tokens = counted.output_tokens + excluded.output_tokens;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER count_removed_turns AFTER DELETE ON turns REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION count_removed_turns()`,
];

/** What the turns of removed sessions have used, so that usage and cost of a day stay what they were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
