import type { DatabaseSync } from 'node:sqlite';
import { maxPageBytes } from '@parley/protocol/bounds';
import { queueItem } from '../decode-row.ts';
import type { QueueItem, QueueStore } from '../queue-store.ts';

export function prepareQueue(connection: DatabaseSync): Pick<QueueStore, 'listQueue'> {
  const queue = connection.prepare(`
    SELECT id, position, body, accepted_at AS acceptedAt, accepted_index AS acceptedIndex,
      octet_length(body) AS bytes
    FROM queue WHERE session = (SELECT key FROM sessions WHERE id = ?) ORDER BY position`);

  return {
    async listQueue(sessionId) {
      const items: QueueItem[] = [];
      let read = 0;
      for (const row of queue.iterate(sessionId)) {
        read += Number(row['bytes']);
        if (items.length > 0 && read > maxPageBytes) break;
        items.push(queueItem(row));
      }
      return items;
    },
  };
}
