import { queueItem } from '../decode-row.ts';
import type { QueueStore } from '../queue-store.ts';
import type { Database } from './database.ts';
import { pageOf } from './page.ts';

type Queue = Pick<QueueStore, 'listQueue' | 'isQueued' | 'nextItem'>;

const columns = 'id, position, body, accepted_at AS "acceptedAt", accepted_index AS "acceptedIndex"';
/** At the beginning of a body, of which nothing else is read. */
const kindOf = String.raw`substring(left(body, 64) FROM '^\{"kind":"([^"]*)"')`;
const ofSession = 'session = (SELECT key FROM sessions WHERE id = $1)';

export function prepareQueue({ query }: Database): Queue {
  const queue = pageOf(
    `SELECT ${columns} FROM queue WHERE ${ofSession} AND ($2::text IS NULL OR ${kindOf} = $2)`,
    'position',
    'body',
  );
  const queued = `SELECT 1 FROM queue WHERE ${ofSession} AND id = $2`;
  const next = `
    SELECT ${columns} FROM queue WHERE ${ofSession} ORDER BY array_position($2::text[], ${kindOf}), position LIMIT 1`;
  return {
    listQueue: async (sessionId, kind) => (await query(queue, [sessionId, kind ?? null])).map(queueItem),

    isQueued: async (sessionId, itemId) => (await query(queued, [sessionId, itemId])).length > 0,

    async nextItem(sessionId, kinds) {
      const [row] = await query(next, [sessionId, kinds]);
      return row ? queueItem(row) : null;
    },
  };
}
