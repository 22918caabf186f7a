import { storedEvent } from '../decode-row.ts';
import type { EventStore } from '../event-store.ts';
import type { Database } from './database.ts';
import { pageOf } from './page.ts';

/** What `EventStore` reads; `append.ts` has what it writes. */
export function prepareEvents({ query }: Database): Omit<EventStore, 'commit'> {
  const key = '(SELECT key FROM sessions WHERE id = $1)';
  const columns = 'idx, type, data, id, at, concealed, item_id AS "itemId"';
  const events = pageOf(
    `SELECT ${columns} FROM events WHERE session = ${key} AND idx >= $2 ORDER BY idx LIMIT $3`,
    'idx',
    'data',
  );
  const stepStart = `
    SELECT max(idx) AS idx FROM events WHERE session = ${key} AND type = 'step.started' AND idx <= $2`;
  const inputRequests = `
    SELECT ${columns} FROM events
    WHERE session = ${key} AND type = 'input.requested' AND idx < $2 ORDER BY idx DESC LIMIT $3`;
  const callResult = `SELECT result FROM call_results WHERE session = ${key} AND call_id = $2`;

  return {
    async readEvents(sessionId, from, limit) {
      const rows = (await query(events, [sessionId, from, limit + 1])).slice(0, limit);
      const following = rows.at(-1)?.['following'] ?? null;
      return { events: rows.map(storedEvent), next: following === null ? null : Number(following) };
    },
    async stepStartIndex(sessionId, index) {
      const [row] = await query(stepStart, [sessionId, index]);
      return Number(row?.['idx'] ?? 0);
    },
    listInputRequests: async (sessionId, before, limit) =>
      (await query(inputRequests, [sessionId, before, limit])).map(storedEvent),
    async getCallResult(sessionId, callId) {
      const [row] = await query(callResult, [sessionId, callId]);
      return row === undefined ? null : JSON.parse(String(row['result']));
    },
  };
}
