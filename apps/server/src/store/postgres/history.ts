import type { HistoryStore } from '../history-store.ts';
import type { Database } from './database.ts';
import { pageOf } from './page.ts';

/** Entries that are looked at for one page; a page of many small ones ends with them. */
const pageRows = 1_000;

export function prepareHistory({ query }: Database): HistoryStore {
  const page = pageOf(
    `SELECT position, turn, message FROM history
      WHERE session = (SELECT key FROM sessions WHERE id = $1) AND turn > $2 AND position >= $3
      ORDER BY position LIMIT ${pageRows}`,
    'position',
    'message',
  );

  return {
    async readHistory(sessionId, { afterTurn, from }) {
      const rows = await query(page, [sessionId, afterTurn, from ?? 0]);
      const last = rows.at(-1);
      const following = rows.length === pageRows ? Number(last?.['position']) + 1 : last?.['following'];
      return {
        entries: rows.map(({ turn, message }) => ({
          turn: Number(turn),
          message: JSON.parse(String(message)),
        })),
        bytes: Number(last?.['total'] ?? 0),
        next: following === null || following === undefined ? null : Number(following),
      };
    },
  };
}
