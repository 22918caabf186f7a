import { type RawBuilder, sql } from 'kysely';
import type { QueryEngine, Row } from './query-engine.ts';
import type { DayUsage, LatencyOfAgent, UsageStore } from './usage-store.ts';

/** Failed turns of a day whose cause is looked up in the log. */
const maxFailures = 2_000;
/** A turn's failure is among so many events at the end of the commit that ended it. */
const endingEvents = 8;

export function createUsage({ queries, read, jsonText }: QueryEngine): UsageStore {
  return {
    async readUsage({ agentIds, from, before }) {
      if (agentIds.length === 0)
        return { turns: [], latencies: [], failures: [], approvals: [], ratings: [] };
      const run = (query: RawBuilder<unknown>) => read(query.compile(queries));
      const isOfAgents = sql`agent_id IN (${sql.join([...agentIds])})`;
      const isTurn = sql`turns.${isOfAgents} AND turns.started_at >= ${from} AND turns.started_at < ${before}`;

      const turns = await run(sql`
        SELECT agent_id AS "agentId", model_id AS "modelId", status, count(*) AS turns,
          CAST(sum(input_tokens) AS bigint) AS "inputTokens", CAST(sum(output_tokens) AS bigint) AS "outputTokens"
        FROM turns WHERE ${isTurn} GROUP BY agent_id, model_id, status ORDER BY agent_id, model_id, status`);
      // Of a day on which nothing happened that is all there is to know of turns.
      const isQuiet = turns.length === 0;
      const failures = isQuiet
        ? []
        : await run(sql`
            SELECT "agentId", name, count(*) AS count FROM (
              SELECT failed.agent_id AS "agentId", coalesce((
                SELECT coalesce(${jsonText('data', 'details', 'cause', 'code')}, ${jsonText('data', 'code')})
                FROM events WHERE events.session = failed.session AND idx BETWEEN failed.first_index AND failed.last_index
                  AND idx > failed.last_index - ${sql.lit(endingEvents)} AND type = 'turn.failed'
                ORDER BY idx DESC LIMIT 1
              ), 'UNKNOWN') AS name
              FROM (
                SELECT agent_id, session, first_index, last_index FROM turns
                WHERE ${isTurn} AND status = 'failed' LIMIT ${sql.lit(maxFailures)}
              ) AS failed
            ) AS causes GROUP BY "agentId", name ORDER BY "agentId", name`);
      const approvals = isQuiet
        ? []
        : await run(sql`
            SELECT agent_id AS "agentId", count(*) AS count FROM turns
            WHERE ${isTurn} AND (
              SELECT max(${jsonText('data', 'requests', 0, 'kind')}) FROM events
              WHERE events.session = turns.session AND type = 'input.requested' AND idx >= turns.first_index
                AND idx <= coalesce(turns.last_index, turns.first_index + 1000000)
            ) = 'tool-approval' GROUP BY agent_id ORDER BY agent_id`);
      const ratings = await run(sql`
        SELECT feedback.agent_id AS "agentId", rating AS name, count(*) AS count
        FROM feedback JOIN sessions ON sessions.key = feedback.session
        WHERE feedback.${isOfAgents} AND at >= ${from} AND at < ${before} AND sessions.status <> 'removed'
        GROUP BY feedback.agent_id, rating ORDER BY feedback.agent_id, rating`);
      const ofAgents = isQuiet ? [] : await run(latencies(isTurn, sql`agent_id`));
      const ofAll = isQuiet || agentIds.length === 1 ? [] : await run(latencies(isTurn, sql`NULL`));
      return {
        // The columns are aliased to the fields.
        turns: turns as unknown as DayUsage['turns'],
        failures: failures as unknown as DayUsage['failures'],
        approvals: approvals as unknown as DayUsage['approvals'],
        ratings: ratings as unknown as DayUsage['ratings'],
        latencies: [...ofAgents, ...ofAll].map(latency),
      };
    },
  };
}

/** The nearest rank: the least time that so many turns of a hundred took at most. */
function latencies(isTurn: RawBuilder<unknown>, agent: RawBuilder<unknown>): RawBuilder<unknown> {
  const percentile = (measure: string, percent: number) => sql`
    min(CASE WHEN measure = ${sql.lit(measure)} AND place * 100 >= ranked.count * ${sql.lit(percent)} THEN took END)`;
  return sql`
    SELECT agent AS "agentId", ${percentile('first', 50)} AS "firstP50", ${percentile('first', 95)} AS "firstP95",
      ${percentile('whole', 50)} AS "wholeP50", ${percentile('whole', 95)} AS "wholeP95"
    FROM (
      SELECT agent, measure, took, row_number() OVER (PARTITION BY agent, measure ORDER BY took) AS place,
        count(*) OVER (PARTITION BY agent, measure) AS count
      FROM (
        SELECT CAST(${agent} AS text) AS agent, 'first' AS measure, first_delta_at - started_at AS took
        FROM turns WHERE ${isTurn} AND first_delta_at IS NOT NULL
        UNION ALL
        SELECT CAST(${agent} AS text), 'whole', ended_at - started_at
        FROM turns WHERE ${isTurn} AND status = 'completed'
      ) AS measured
    ) AS ranked GROUP BY agent ORDER BY agent`;
}

const milliseconds = (value: Row[string] | undefined): number | null =>
  value == null ? null : Number(value);

function latency(row: Row): LatencyOfAgent {
  return {
    agentId: row['agentId'] == null ? null : String(row['agentId']),
    firstDelta: { p50: milliseconds(row['firstP50']), p95: milliseconds(row['firstP95']) },
    wholeTurn: { p50: milliseconds(row['wholeP50']), p95: milliseconds(row['wholeP95']) },
  };
}
