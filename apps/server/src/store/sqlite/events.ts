import type { DatabaseSync } from 'node:sqlite';
import { maxPageBytes } from '@parley/protocol/bounds';
import { storedEvent } from '../decode-row.ts';
import type { EventPage, EventStore, StoredEvent } from '../event-store.ts';
import type { GroupCommit } from './group-commit.ts';

/** What `EventStore` reads; `append.ts` has what it writes. */
export function prepareEvents(
  connection: DatabaseSync,
  commits: Pick<GroupCommit, 'onDisk'>,
): Omit<EventStore, 'commit'> {
  const key = '(SELECT key FROM sessions WHERE id = ?)';
  const columns = 'idx, type, data, id, at, concealed, item_id AS itemId';
  const events = connection.prepare(`
    SELECT ${columns}, octet_length(data) AS bytes
    FROM events WHERE session = ${key} AND idx >= ? ORDER BY idx LIMIT ?`);
  const stepStart = connection.prepare(`
    SELECT max(idx) AS idx FROM events WHERE session = ${key} AND type = 'step.started' AND idx <= ?`);
  const inputRequests = connection.prepare(`
    SELECT ${columns} FROM events INDEXED BY input_requests
    WHERE session = ${key} AND type = 'input.requested' AND idx < ? ORDER BY idx DESC LIMIT ?`);
  const callResult = connection.prepare(
    `SELECT result FROM call_results WHERE session = ${key} AND call_id = ?`,
  );

  function readPage(sessionId: string, from: number, limit: number): EventPage {
    const page: StoredEvent[] = [];
    let bytes = 0;
    for (const row of events.iterate(sessionId, from, limit + 1)) {
      bytes += Number(row['bytes'] ?? 0);
      if (page.length === limit || (page.length > 0 && bytes > maxPageBytes))
        return { events: page, next: Number(row['idx']) };
      page.push(storedEvent(row));
    }
    return { events: page, next: null };
  }

  return {
    // Nobody sees an event that a power cut could still take back. Read before the wait, in the task of the caller, who has
    // begun to listen in it.
    readEvents: async (sessionId, from, limit) => commits.onDisk(readPage(sessionId, from, limit)),
    stepStartIndex: async (sessionId, index) => Number(stepStart.get(sessionId, index)?.['idx'] ?? 0),
    listInputRequests: async (sessionId, before, limit) =>
      commits.onDisk(inputRequests.all(sessionId, before, limit).map(storedEvent)),
    async getCallResult(sessionId, callId) {
      const row = callResult.get(sessionId, callId);
      return row === undefined ? null : JSON.parse(String(row['result']));
    },
  };
}
