import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { QueryEngine, Row } from './query-engine.ts';
import { TurnTimes } from './turn-times.ts';
import type { TurnCounts, UsageStore } from './usage-store.ts';

/** Failed turns of a day whose cause is looked up in the log. */
const maxFailures = 2_000;
/** A turn's failure is among so many events at the end of the commit that ended it. */
const endingEvents = 8;
/** Turns that one query reads, where they are spread over the day; and of how many it reads the times at most. */
const readAtOnce = 1_000;
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
      const isTurn = (since: number, until: number) =>
        sql`turns.${isOfAgents} AND turns.started_at >= ${since} AND turns.started_at < ${until}`;
      const [{ kept = 0 } = {}] = await run(
        sql`SELECT count(*) AS kept FROM turns WHERE ${isTurn(from, before)}`,
      );
      const pages = Math.ceil(Number(kept) / readAtOnce);
      const at = (part: number) => from + Math.floor(((before - from) * part) / pages);
      const parts = Array.from({ length: pages }, (_, part) => isTurn(at(part), at(part + 1)));

      const used = [
        ...(await run(sql`
          SELECT agent_id AS "agentId", nullif(model_id, '') AS "modelId", status, turns,
            input_tokens AS "inputTokens", output_tokens AS "outputTokens"
          FROM removed_turns WHERE ${isOfAgents} AND day >= ${from} AND day < ${before}`)),
      ];
      const failed: Row[] = [];
      const asked: Row[] = [];
      const times = new TurnTimes();
      let failuresLeft = maxFailures;
      // The last part first: of failures the last are looked up.
      for (const isPart of parts.toReversed()) {
        used.push(
          ...(await run(sql`
            SELECT agent_id AS "agentId", model_id AS "modelId", status, count(*) AS turns,
              CAST(sum(input_tokens) AS bigint) AS "inputTokens", CAST(sum(output_tokens) AS bigint) AS "outputTokens"
            FROM turns WHERE ${isPart} GROUP BY agent_id, model_id, status`)),
        );
        const causes = await run(sql`
          SELECT "agentId", name, count(*) AS count FROM (
            SELECT failed.agent_id AS "agentId", coalesce((
              SELECT coalesce(${jsonText('data', 'details', 'cause', 'code')}, ${jsonText('data', 'code')})
              FROM events WHERE events.session = failed.session AND idx BETWEEN failed.first_index AND failed.last_index
                AND idx > failed.last_index - ${sql.lit(endingEvents)} AND type = 'turn.failed'
              ORDER BY idx DESC LIMIT 1
            ), 'UNKNOWN') AS name
            FROM (
              SELECT agent_id, session, first_index, last_index FROM turns
              WHERE ${isPart} AND status = 'failed' LIMIT ${failuresLeft}
            ) AS failed
          ) AS causes GROUP BY "agentId", name`);
        for (const { count } of causes) failuresLeft -= Number(count);
        failed.push(...causes);
        asked.push(
          ...(await run(sql`
            SELECT agent_id AS "agentId", count(*) AS count FROM turns
            WHERE ${isPart} AND (
              SELECT max(${jsonText('data', 'requests', 0, 'kind')}) FROM ${inputRequests}
              WHERE events.session = turns.session AND type = 'input.requested' AND idx >= turns.first_index
                AND idx <= coalesce(turns.last_index, turns.first_index + 1000000)
            ) = 'tool-approval' GROUP BY agent_id`)),
        );
        const timed = await run(sql`
          SELECT agent_id AS "agentId", first_delta_at - started_at AS first,
            CASE WHEN status = 'completed' THEN ended_at - started_at END AS whole
          FROM turns WHERE ${isPart} LIMIT ${sql.lit(maxTimedAtOnce)}`);
        for (const { agentId, first, whole } of timed) times.add(String(agentId), first, whole);
      }
      const unanswered = await run(sql`
        SELECT agent_id AS "agentId", CAST(sum(count) AS bigint) AS count FROM unanswered_questions
        WHERE ${isOfAgents} AND day >= ${from} AND day < ${before} GROUP BY agent_id ORDER BY agent_id`);
      const ratings = await run(sql`
        SELECT feedback.agent_id AS "agentId", rating AS name, count(*) AS count
        FROM feedback JOIN sessions ON sessions.key = feedback.session
        WHERE feedback.${isOfAgents} AND at >= ${from} AND at < ${before} AND sessions.status <> 'removed'
        GROUP BY feedback.agent_id, rating ORDER BY feedback.agent_id, rating`);
      return {
        turns: summed(used, ['agentId', 'modelId', 'status'], ['turns', 'inputTokens', 'outputTokens']).map(
          turnCounts,
        ),
        failures: summed(failed, ['agentId', 'name'], ['count']).map((row) => ({
          ...countOfAgent(row),
          name: String(row['name']),
        })),
        approvals: summed(asked, ['agentId'], ['count']).map(countOfAgent),
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

/** One row for all that say the same of `by`, in the order of that. */
function summed(rows: readonly Row[], by: readonly string[], amounts: readonly string[]): readonly Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify(by.map((column) => row[column]));
    const sum = sums.get(key) ?? { ...row, ...Object.fromEntries(amounts.map((amount) => [amount, 0])) };
    for (const amount of amounts) sum[amount] = Number(sum[amount]) + Number(row[amount]);
    sums.set(key, sum);
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
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
