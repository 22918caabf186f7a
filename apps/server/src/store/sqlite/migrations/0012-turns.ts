import { sql, type Kysely } from 'kysely';

const statements = [
  // In the order in which they begin: the turns of all sessions that run share a page, and a group commit writes it once.
  `CREATE TABLE turns (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    agent_id TEXT NOT NULL,
    status TEXT NOT NULL,
    item_id TEXT,
    author TEXT NOT NULL,
    configuration TEXT,
    model_id TEXT,
    first_index INTEGER NOT NULL,
    last_index INTEGER,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    first_delta_at INTEGER,
    ended_at INTEGER,
    UNIQUE (session, sequence)
  ) STRICT`,

  // What the log says of the turns that there were. Deltas, which are most of it, are passed over by their type alone.
  `INSERT INTO turns (session, sequence, agent_id, status, item_id, author, first_index, last_index, input_tokens,
      output_tokens, started_at, ended_at)
    SELECT sessions.key, said.sequence, sessions.agent_id,
      CASE
        WHEN said.ended IS NULL THEN iif(sessions.status = 'open', 'running', 'cancelled')
        WHEN sessions.status = 'open' AND json_extract(sessions.state, '$.parked.sequence') = said.sequence THEN 'waiting'
        ELSE said.ended
      END,
      said.item_id, 'visitor', said.first_index, said.last_index, said.input_tokens, said.output_tokens,
      CAST(round(unixepoch(said.started_at, 'subsec') * 1000) AS INTEGER),
      CAST(round(unixepoch(said.ended_at, 'subsec') * 1000) AS INTEGER)
    FROM (
      SELECT session, json_extract(data, '$.sequence') AS sequence,
        max(iif(type = 'turn.started', item_id, NULL)) AS item_id,
        min(iif(type = 'turn.started', idx, NULL)) AS first_index,
        max(iif(type IN ('turn.completed', 'turn.failed', 'turn.cancelled'), idx, NULL)) AS last_index,
        max(iif(type IN ('turn.completed', 'turn.failed', 'turn.cancelled'), substr(type, 6), NULL)) AS ended,
        sum(coalesce(json_extract(data, '$.usage.inputTokens'), 0)) AS input_tokens,
        sum(coalesce(json_extract(data, '$.usage.outputTokens'), 0)) AS output_tokens,
        min(iif(type = 'turn.started', at, NULL)) AS started_at,
        max(iif(type IN ('turn.completed', 'turn.failed', 'turn.cancelled'), at, NULL)) AS ended_at
      FROM events
      WHERE type IN ('turn.started', 'step.completed', 'turn.completed', 'turn.failed', 'turn.cancelled')
      GROUP BY session, json_extract(data, '$.sequence')
    ) AS said
    JOIN sessions ON sessions.key = said.session
    WHERE said.first_index IS NOT NULL AND sessions.status <> 'removed'
    ORDER BY said.started_at`,

  'CREATE INDEX turns_of_agent ON turns (agent_id, started_at)',
  `CREATE INDEX waiting_turns ON turns (agent_id, started_at) WHERE status = 'waiting'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
