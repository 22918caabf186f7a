import type { CommandStore, SendCommandResult } from '../command-store.ts';
import { finishedCommandMs, maxWaitingCommands } from '../create-commands.ts';
import { clockFunction } from './clock.ts';
import type { Database } from './database.ts';
import { placeholders, sqlFunction } from './sql-function.ts';

/** `CommandStore.sendCommand`: the session's row is locked, so that its holder cannot let go of it meanwhile. */
export const sendCommandFunction = sqlFunction(
  'send_command',
  `CREATE FUNCTION $name(p_now bigint, p_session text, p_id text, p_kind text, p_body text) RETURNS text
  LANGUAGE plpgsql AS $$
  DECLARE
    v_now bigint := ${clockFunction.name}(p_now);
    v_session sessions;
  BEGIN
    SELECT * INTO v_session FROM sessions WHERE id = p_session AND status = 'open' FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN 'not-open'; END IF;
    IF v_session.owner IS NULL AND NOT EXISTS (SELECT FROM queue WHERE session = v_session.key)
    THEN RETURN 'free'; END IF;
    IF (SELECT count(*) FROM session_commands WHERE session = v_session.key AND finished_at IS NULL)
      >= ${maxWaitingCommands} THEN RETURN 'full'; END IF;
    DELETE FROM session_commands WHERE session = v_session.key AND finished_at <= v_now - ${finishedCommandMs};
    INSERT INTO session_commands (id, session, kind, body, created_at)
    VALUES (p_id, v_session.key, p_kind, p_body, v_now);
    RETURN 'sent';
  END $$`,
);

export function prepareCommands({ query, now }: Database): Pick<CommandStore, 'sendCommand'> {
  const send = `SELECT ${sendCommandFunction.name}(${placeholders(5)}) AS result`;
  return {
    async sendCommand(sessionId, { id, kind, body }) {
      const [row] = await query(send, [now(), sessionId, id, kind, JSON.stringify(body)]);
      // The function returns nothing else.
      return row?.['result'] as SendCommandResult;
    },
  };
}
