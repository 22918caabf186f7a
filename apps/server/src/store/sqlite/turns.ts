import type { DatabaseSync } from 'node:sqlite';
import type { TurnEnd, TurnStart } from '../turn-store.ts';

export interface Turns {
  start(
    session: { key: number; agentId: string },
    firstIndex: number,
    itemId: string | null,
    turn: TurnStart,
  ): void;
  end(session: number, lastIndex: number, turn: TurnEnd): void;
  /** Turns that waited and do no more. */
  settle(session: number, sequence: number): void;
  /** The session is over, and with it what runs or waits. */
  cancelAll(session: number, now: number): void;
}

/** The rows of turns, written within the transaction that appends their events. */
export function prepareTurns(connection: DatabaseSync): Turns {
  const start = connection.prepare(`
    INSERT INTO turns (session, sequence, agent_id, status, item_id, author, configuration, model_id, first_index,
      input_tokens, output_tokens, started_at)
    VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?, 0, 0, ?)`);
  // Of a turn that an earlier version began, the tokens it had used by then are in the row.
  const end = connection.prepare(`
    UPDATE turns SET status = ?3, last_index = ?4, input_tokens = input_tokens + ?5, output_tokens = output_tokens + ?6,
      first_delta_at = ?7, ended_at = ?8, model_id = coalesce(?9, model_id)
    WHERE session = ?1 AND sequence = ?2 AND status = 'running'`);
  const settle = connection.prepare(`
    UPDATE turns SET status = 'completed' WHERE session = ? AND sequence = ? AND status = 'waiting'`);
  const cancelAll = connection.prepare(`
    UPDATE turns SET status = 'cancelled', ended_at = coalesce(ended_at, ?2)
    WHERE session = ?1 AND status IN ('running', 'waiting')`);

  return {
    start({ key, agentId }, firstIndex, itemId, { sequence, author, configuration, modelId, startedAt }) {
      start.run(key, sequence, agentId, itemId, author, configuration, modelId, firstIndex, startedAt);
    },
    end(session, lastIndex, { sequence, status, inputTokens, outputTokens, firstDeltaAt, modelId, endedAt }) {
      const used = [inputTokens, outputTokens, firstDeltaAt, endedAt] as const;
      end.run(session, sequence, status, lastIndex, ...used, modelId ?? null);
    },
    settle: (session, sequence) => void settle.run(session, sequence),
    cancelAll: (session, now) => void cancelAll.run(session, now),
  };
}
