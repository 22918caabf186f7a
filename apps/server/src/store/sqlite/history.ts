import type { DatabaseSync } from 'node:sqlite';
import { maxPageBytes } from '@parley/protocol/bounds';
import type { HistoryEntry, HistoryStore } from '../history-store.ts';

/** Reads a session's history in pages, from the first entry of a turn on. */
export function prepareHistory(connection: DatabaseSync): HistoryStore {
  const key = '(SELECT key FROM sessions WHERE id = ?)';
  const first = connection.prepare(`
    SELECT min(position) AS position FROM history WHERE session = ${key} AND turn > ?`);
  // `+turn`: the rows are read in their order. By the index on turns they would have to be sorted first.
  const rows = connection.prepare(`
    SELECT position, turn, message, octet_length(message) AS bytes
    FROM history WHERE session = ${key} AND position >= ? AND +turn > ? ORDER BY position`);

  return {
    async readHistory(sessionId, { afterTurn, from }) {
      const start = from ?? first.get(sessionId, afterTurn)?.['position'];
      if (start === null || start === undefined) return { entries: [], bytes: 0, next: null };
      const entries: HistoryEntry[] = [];
      let size = 0;
      for (const { position, turn, message, bytes } of rows.iterate(sessionId, start, afterTurn)) {
        if (entries.length > 0 && size + Number(bytes) > maxPageBytes)
          return { entries, bytes: size, next: Number(position) };
        size += Number(bytes);
        entries.push({ turn: Number(turn), message: JSON.parse(String(message)) });
      }
      return { entries, bytes: size, next: null };
    },
  };
}
