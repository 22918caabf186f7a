import { queueItem } from '../decode-row.ts';
import type { QueueStore } from '../queue-store.ts';
import type { Database } from './database.ts';
import { pageOf } from './page.ts';

export function prepareQueue({ query }: Database): Pick<QueueStore, 'listQueue'> {
  const queue = pageOf(
    `SELECT id, position, body, accepted_at AS "acceptedAt", accepted_index AS "acceptedIndex"
      FROM queue WHERE session = (SELECT key FROM sessions WHERE id = $1)`,
    'position',
    'body',
  );
  return { listQueue: async (sessionId) => (await query(queue, [sessionId])).map(queueItem) };
}
