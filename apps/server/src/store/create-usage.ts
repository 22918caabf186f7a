import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { QueryEngine, Row } from './query-engine.ts';
import { TurnTimes } from './turn-times.ts';
import type { TurnCounts, UsageStore } from './usage-store.ts';

/** Failed turns of a day whose cause is looked up in the log. */
const maxFailures = 2_000;
/** A turn's failure is among so many events at the end of the commit that ended it. */
const endingEvents = 8;
/** Turns whose times are read with one query, where they are spread over the day; and at most. */
const timedAtOnce = 1_000;
const maxTimedAtOnce = 20_000;

export function createUsage({ queries, read, jsonText, inputRequests }: QueryEngine): UsageStore {
  return {
    async readUsage({ agentIds, from, before }) {
      if (agentIds.length === 0)
        return { turns: [], latencies: [], failures: [], approvals: [], unanswered: [], ratings: [] };
      const run = async (query: RawBuilder<unknown>) => {
        // An engine of this process answers at once: between two queries everybody else has a turn.
        await setImmediate();
        return read(query.compile(queries));
      };
      const isOfAgents = sql`agent_id IN (${sql.join([...agentIds])})`;
      const isTurn = sql`turns.${isOfAgents} AND turns.started_at >= ${from} AND turns.started_at < ${before}`;

      const turns = await run(sql`
        SELECT agent_id AS "agentId", model_id AS "modelId", status, CAST(sum(turns) AS bigint) AS turns,
          CAST(sum(input_tokens) AS bigint) AS "inputTokens", CAST(sum(output_tokens) AS bigint) AS "outputTokens",
          CAST(sum(kept) AS bigint) AS kept
        FROM (
          SELECT agent_id, model_id, status, count(*) AS turns, sum(input_tokens) AS input_tokens,
            sum(output_tokens) AS output_tokens, count(*) AS kept
          FROM turns WHERE ${isTurn} GROUP BY agent_id, model_id, status
          UNION ALL
          SELECT agent_id, nullif(model_id, ''), status, turns, input_tokens, output_tokens, 0
          FROM removed_turns WHERE ${isOfAgents} AND day >= ${from} AND day < ${before}
        ) AS used GROUP BY agent_id, model_id, status ORDER BY agent_id, model_id, status`);
      const kept = turns.reduce((sum, each) => sum + Number(each['kept']), 0);
      // Of a day of which no turn is left that is all there is to know of them.
      const isQuiet = kept === 0;
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
              SELECT max(${jsonText('data', 'requests', 0, 'kind')}) FROM ${inputRequests}
              WHERE events.session = turns.session AND type = 'input.requested' AND idx >= turns.first_index
                AND idx <= coalesce(turns.last_index, turns.first_index + 1000000)
            ) = 'tool-approval' GROUP BY agent_id ORDER BY agent_id`);
      const unanswered = await run(sql`
        SELECT agent_id AS "agentId", CAST(sum(count) AS bigint) AS count FROM unanswered_questions
        WHERE ${isOfAgents} AND day >= ${from} AND day < ${before} GROUP BY agent_id ORDER BY agent_id`);
      const ratings = await run(sql`
        SELECT feedback.agent_id AS "agentId", rating AS name, count(*) AS count
        FROM feedback JOIN sessions ON sessions.key = feedback.session
        WHERE feedback.${isOfAgents} AND at >= ${from} AND at < ${before} AND sessions.status <> 'removed'
        GROUP BY feedback.agent_id, rating ORDER BY feedback.agent_id, rating`);
      const times = new TurnTimes();
      const pages = Math.ceil(kept / timedAtOnce);
      for (let page = 0; page < pages; page += 1) {
        const at = (part: number) => from + Math.floor(((before - from) * part) / pages);
        const rows = await run(sql`
          SELECT agent_id AS "agentId", first_delta_at - started_at AS first,
            CASE WHEN status = 'completed' THEN ended_at - started_at END AS whole
          FROM turns WHERE turns.${isOfAgents} AND started_at >= ${at(page)} AND started_at < ${at(page + 1)}
          LIMIT ${sql.lit(maxTimedAtOnce)}`);
        for (const { agentId, first, whole } of rows) times.add(String(agentId), first, whole);
      }
      return {
        turns: turns.map(turnCounts),
        failures: failures.map((row) => ({ ...countOfAgent(row), name: String(row['name']) })),
        approvals: approvals.map(countOfAgent),
        unanswered: unanswered.map(countOfAgent),
        ratings: ratings.map((row) => ({
          ...countOfAgent(row),
          name: row['name'] === 'up' ? ('up' as const) : ('down' as const),
        })),
        latencies: times.latencies(),
      };
    },
  };
}

const countOfAgent = ({ agentId, count }: Row) => ({ agentId: String(agentId), count: Number(count) });

const turnCounts = ({ agentId, modelId, status, turns, inputTokens, outputTokens }: Row): TurnCounts => ({
  agentId: String(agentId),
  modelId: modelId === null ? null : String(modelId),
  status: String(status),
  turns: Number(turns),
  inputTokens: Number(inputTokens),
  outputTokens: Number(outputTokens),
});
