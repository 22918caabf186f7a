import { sql, type Kysely } from 'kysely';

const dayMs = 86_400_000;

const statements = [
  `CREATE TABLE removed_turns (
    agent_id TEXT NOT NULL REFERENCES agents ON DELETE CASCADE,
    day INTEGER NOT NULL,
    model_id TEXT NOT NULL,
    status TEXT NOT NULL,
    turns INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    PRIMARY KEY (agent_id, day, model_id, status)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TRIGGER count_removed_turn AFTER DELETE ON turns BEGIN
    INSERT INTO removed_turns (agent_id, day, model_id, status, turns, input_tokens, output_tokens)
      SELECT id, old.started_at / ${dayMs} * ${dayMs}, coalesce(old.model_id, ''), old.status,
        1, old.input_tokens, old.output_tokens
      FROM agents WHERE id = old.agent_id
    ON CONFLICT (agent_id, day, model_id, status) DO UPDATE SET turns = turns + excluded.turns,
      input_tokens = input_tokens + excluded.input_tokens,
      output_tokens = output_tokens + excluded.output_tokens;
  END`,
];

/** What the turns of removed sessions have used, so that usage and cost of a day stay what they were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
