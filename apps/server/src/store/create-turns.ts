import { sql } from 'kysely';
import type { QueryEngine } from './query-engine.ts';
import type { TurnRecord, TurnStatus, TurnStore } from './turn-store.ts';

/** Of `turns` joined with `sessions`, aliased to the fields of a record. */
export const turnColumns = sql.raw(`
  turns.key AS place, sessions.id AS "sessionId", turns.agent_id AS "agentId", sequence, turns.status AS status,
  item_id AS "itemId", author, configuration, model_id AS "modelId", first_index AS "firstIndex",
  last_index AS "lastIndex", input_tokens AS "inputTokens", output_tokens AS "outputTokens",
  started_at AS "startedAt", first_delta_at AS "firstDeltaAt", ended_at AS "endedAt"`);

export function createTurns({ queries, read }: QueryEngine): TurnStore {
  return {
    async listTurns({ agentId, waiting, from, before, after, limit }) {
      const [startedAt, key] = decodePlace(after);
      // By the pair of the place alone it would be looked for row by row, from the newest on.
      const until = Math.min(before, startedAt + 1);
      const rows = await read(
        sql`
          SELECT ${turnColumns} FROM turns JOIN sessions ON sessions.key = turns.session
          WHERE turns.agent_id = ${agentId} AND started_at >= ${from} AND started_at < ${until}
            AND (started_at < ${startedAt} OR started_at = ${startedAt} AND turns.key < ${key})
            AND sessions.status <> 'removed' ${waiting ? sql`AND turns.status = 'waiting'` : sql``}
          ORDER BY started_at DESC, turns.key DESC LIMIT ${limit + 1}`.compile(queries),
      );
      const last = rows[limit - 1];
      const next = rows.length > limit && last !== undefined ? encodePlace(last) : null;
      // The columns are aliased to the record's fields.
      const items = rows.slice(0, limit).map(({ place: _place, ...row }) => row as unknown as TurnRecord);
      return { items, next };
    },

    async turnStatus(sessionId, sequence) {
      const [row] = await read(
        sql`
          SELECT turns.status AS status FROM turns JOIN sessions ON sessions.key = turns.session
          WHERE sessions.id = ${sessionId} AND sessions.status <> 'removed' AND sequence = ${sequence}`.compile(
          queries,
        ),
      );
      return row === undefined ? null : (row['status'] as TurnStatus);
    },
  };
}

type Place = readonly [startedAt: number, key: number];

const end: Place = [Number.MAX_SAFE_INTEGER - 1, 0];

export function encodePlace({ startedAt, place }: Record<string, unknown>): string {
  return `${String(startedAt)}.${String(place)}`;
}

export function decodePlace(after: string | null): Place {
  const [, startedAt, key] = /^(\d{1,15})\.(\d{1,15})$/.exec(after ?? '') ?? [];
  return key === undefined ? end : [Number(startedAt), Number(key)];
}
