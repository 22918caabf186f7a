import type { DatabaseSync } from 'node:sqlite';
import { maxPageBytes } from '@parley/protocol/bounds';
import { queueItem } from '../decode-row.ts';
import type { QueueItem, QueueStore } from '../queue-store.ts';

type Queue = Pick<QueueStore, 'listQueue' | 'isQueued' | 'nextItem'>;

const columns = 'id, position, body, accepted_at AS acceptedAt, accepted_index AS acceptedIndex';
const ofSession = 'session = (SELECT key FROM sessions WHERE id = ?)';
const beginsSo = 'substr(body, 1, length(?2)) = ?2';

export function prepareQueue(connection: DatabaseSync): Queue {
  const queue = connection.prepare(
    `SELECT ${columns}, octet_length(body) AS bytes FROM queue WHERE ${ofSession} ORDER BY position`,
  );
  const queueOf = connection.prepare(`
    SELECT ${columns}, octet_length(body) AS bytes FROM queue
    WHERE ${ofSession} AND ${beginsSo} ORDER BY position`);
  const queued = connection.prepare(`SELECT 1 FROM queue WHERE ${ofSession} AND id = ?`);
  const first = connection.prepare(
    `SELECT ${columns} FROM queue WHERE ${ofSession} ORDER BY position LIMIT 1`,
  );
  const firstWith = connection.prepare(`
    SELECT ${columns} FROM queue WHERE ${ofSession} AND ${beginsSo} ORDER BY position LIMIT 1`);

  return {
    async listQueue(sessionId, kind) {
      const items: QueueItem[] = [];
      let read = 0;
      const rows =
        kind === undefined ? queue.iterate(sessionId) : queueOf.iterate(sessionId, beginning(kind));
      for (const row of rows) {
        read += Number(row['bytes']);
        if (items.length > 0 && read > maxPageBytes) break;
        items.push(queueItem(row));
      }
      return items;
    },

    isQueued: async (sessionId, itemId) => queued.get(sessionId, itemId) !== undefined,

    async nextItem(sessionId, kinds) {
      const ofKind = kinds.map((kind) => firstWith.get(sessionId, beginning(kind)));
      const row = ofKind.find((found) => found !== undefined) ?? first.get(sessionId);
      return row === undefined ? null : queueItem(row);
    },
  };
}

const beginning = (kind: string): string => `{"kind":${JSON.stringify(kind)}`;
