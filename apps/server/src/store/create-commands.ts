import { sql } from 'kysely';
import type { CommandStore, SessionCommandRecord } from './command-store.ts';
import type { QueryEngine, Row } from './query-engine.ts';

/** What waits when its session ends by other means. */
export const sessionEnded = 'session-ended';
export const maxWaitingCommands = 100;
export const finishedCommandMs = 60_000;

export function createCommands({ queries, read }: QueryEngine): Omit<CommandStore, 'sendCommand'> {
  const waiting = sql`
    SELECT session_commands.id AS id, sessions.id AS "sessionId", body
    FROM session_commands JOIN sessions ON sessions.key = session_commands.session
    WHERE finished_at IS NULL`;
  return {
    async listCommands(sessionId) {
      const query = sql`${waiting} AND sessions.id = ${sessionId} ORDER BY position`;
      return (await read(query.compile(queries))).map(commandRecord);
    },

    async listHeldCommands({ owner, limit }) {
      const query = sql`${waiting} AND sessions.owner = ${owner} ORDER BY position LIMIT ${limit}`;
      return (await read(query.compile(queries))).map(commandRecord);
    },

    async getCommandOutcome(id) {
      const query = sql`SELECT outcome FROM session_commands WHERE id = ${id}`;
      const [row] = await read(query.compile(queries));
      const outcome = row?.['outcome'] ?? null;
      return outcome === null ? null : String(outcome);
    },
  };
}

function commandRecord({ id, sessionId, body }: Row): SessionCommandRecord {
  return { id: String(id), sessionId: String(sessionId), body: JSON.parse(String(body)) };
}
