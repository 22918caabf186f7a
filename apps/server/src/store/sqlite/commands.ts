import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import type {
  FinishedCommand,
  SendCommandResult,
  SessionCommand,
  SessionCommandRecord,
} from '../command-store.ts';
import { finishedCommandMs, maxWaitingCommands, sessionEnded } from '../create-commands.ts';

export interface Commands {
  /** `CommandStore.sendCommand`. */
  send(sessionId: string, command: SessionCommand): () => SendCommandResult;
  /** Those that wait for a session, given its key. */
  waiting(session: number, sessionId: string): readonly SessionCommandRecord[];
  finish(session: number, commands: readonly FinishedCommand[]): void;
  /** For a session that ends. */
  finishAll(session: number): void;
}

export function prepareCommands(connection: DatabaseSync, clock: Clock): Commands {
  const target = connection.prepare(`
    SELECT key, status, owner IS NULL AND NOT EXISTS (SELECT 1 FROM queue WHERE session = sessions.key) AS free
    FROM sessions WHERE id = ?`);
  const count = connection.prepare(
    'SELECT count(*) AS count FROM session_commands WHERE session = ? AND finished_at IS NULL',
  );
  const forget = connection.prepare('DELETE FROM session_commands WHERE session = ? AND finished_at <= ?');
  const insert = connection.prepare(
    'INSERT INTO session_commands (id, session, kind, body, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const waiting = connection.prepare(
    'SELECT id, body FROM session_commands WHERE session = ? AND finished_at IS NULL ORDER BY position',
  );
  const finish = connection.prepare(`
    UPDATE session_commands SET finished_at = ?, outcome = ? WHERE id = ? AND session = ? AND finished_at IS NULL`);
  const finishAll = connection.prepare(`
    UPDATE session_commands SET finished_at = ?, outcome = ? WHERE session = ? AND finished_at IS NULL`);

  return {
    send(sessionId, { id, kind, body }) {
      const json = JSON.stringify(body);
      return () => {
        const session = target.get(sessionId);
        if (session?.['status'] !== 'open') return 'not-open';
        if (session['free'] === 1) return 'free';
        const key = Number(session['key']);
        if (Number(count.get(key)?.['count']) >= maxWaitingCommands) return 'full';
        const now = clock();
        forget.run(key, now - finishedCommandMs);
        insert.run(id, key, kind, json, now);
        return 'sent';
      };
    },
    waiting: (session, sessionId) =>
      waiting
        .all(session)
        .map(({ id, body }) => ({ id: String(id), sessionId, body: JSON.parse(String(body)) })),
    finish(session, commands) {
      for (const { id, outcome } of commands) finish.run(clock(), outcome, id, session);
    },
    finishAll: (session) => void finishAll.run(clock(), sessionEnded, session),
  };
}
