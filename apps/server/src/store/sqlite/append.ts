import type { DatabaseSync } from 'node:sqlite';
import { maxEventBytes } from '@parley/protocol/bounds';
import type { Claim, Commit, CommitResult, NewEvent, SessionStatus } from '../store.ts';
import { EventTooLarge, Fenced } from '../store-error.ts';
import { prepareLeases } from './lease.ts';
import { prepareQuotas } from './quotas.ts';
import { prepareReservations } from './reservations.ts';

export interface Appends {
  commit(claim: Claim, commit: Commit): () => CommitResult;
  end(
    sessionId: string,
    change: { events: readonly NewEvent[]; status: SessionStatus; now: number },
  ): () => boolean;
}

/** `Store.commit` and `Store.end`: the values are serialised at once, the work runs in the shared transaction. */
export function prepareAppends(connection: DatabaseSync): Appends {
  const advance = connection.prepare(`
    UPDATE sessions SET next_index = next_index + ?, active_at = max(active_at, ?),
      state = coalesce(?, state), status = coalesce(?, status), wake_at = iif(?, ?, wake_at)
    WHERE id = ? AND epoch = ? AND owner IS NOT NULL
    RETURNING key, next_index AS nextIndex`);
  const end = connection.prepare(`
    UPDATE sessions SET next_index = next_index + ?, active_at = max(active_at, ?), status = ?,
      owner = NULL, lease_until = 0, wake_at = NULL
    WHERE id = ? AND status = 'open' AND (owner IS NULL OR lease_until <= ?)
    RETURNING key, next_index AS nextIndex`);
  const insertEvent = connection.prepare(`
    INSERT INTO events (session, idx, type, data, id, at, concealed, item_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const withdraw = connection.prepare('DELETE FROM history WHERE session = ? AND turn = ?');
  const insertHistory = connection.prepare(`
    INSERT INTO history (session, position, turn, message)
    VALUES (?1, (SELECT coalesce(max(position) + 1, 0) FROM history WHERE session = ?1), ?2, ?3)`);
  const insertResult = connection.prepare(
    'INSERT INTO call_results (session, call_id, result) VALUES (?, ?, ?)',
  );
  const dropResult = connection.prepare('DELETE FROM call_results WHERE session = ? AND call_id = ?');
  const quotas = prepareQuotas(connection);
  const reservations = prepareReservations(connection);
  const leases = prepareLeases(connection);
  const consume = connection.prepare('DELETE FROM queue WHERE session = ? AND position = ?');
  const dropQueue = connection.prepare('DELETE FROM queue WHERE session = ?');
  const letGo = connection.prepare(
    'UPDATE sessions SET owner = NULL, lease_until = 0, wake_at = NULL WHERE key = ?',
  );

  function insertEvents(session: number, firstIndex: number, rows: readonly EventRow[]): void {
    let index = firstIndex;
    for (const { type, data, id, at, concealed, itemId } of rows) {
      insertEvent.run(session, index++, type, data, id, at, concealed, itemId);
    }
  }

  return {
    commit(claim, commit) {
      const { sessionId, epoch } = claim;
      const rows = commit.events.map(eventRow);
      const state = commit.state === undefined ? null : JSON.stringify(commit.state);
      const history = (commit.history ?? []).map(({ turn, message }) => ({
        turn,
        message: JSON.stringify(message ?? null),
      }));

      const results = (commit.results ?? []).map(({ callId, result }) => ({
        callId,
        result: JSON.stringify(result ?? null),
      }));

      return () => {
        const session = advance.get(
          rows.length,
          commit.now,
          state,
          commit.status ?? null,
          commit.wakeAt === undefined ? 0 : 1,
          commit.wakeAt ?? null,
          sessionId,
          epoch,
        );
        if (session === undefined) throw new Fenced(`Somebody else runs session ${sessionId}`);
        const key = Number(session['key']);
        const firstIndex = Number(session['nextIndex']) - rows.length;
        insertEvents(key, firstIndex, rows);
        for (const turn of commit.withdraw ?? []) withdraw.run(key, turn);
        for (const { turn, message } of history) insertHistory.run(key, turn, message);
        for (const { callId, result } of results) insertResult.run(key, callId, result);
        for (const callId of commit.dropResults ?? []) dropResult.run(key, callId);
        for (const position of commit.consume ?? []) consume.run(key, position);
        quotas.record(commit.spend ?? [], commit.now);
        const ends = commit.status !== undefined && commit.status !== 'open';
        if (ends) {
          dropQueue.run(key);
          letGo.run(key);
        }
        const released = ends || (commit.release === true && leases.release(claim));
        if (ends || commit.release === true) reservations.release(key, released);
        const { meter } = commit;
        return {
          firstIndex,
          released,
          ...(meter && { used: reservations.used(key, meter, commit.now) }),
        };
      };
    },

    end(sessionId, change) {
      const rows = change.events.map(eventRow);
      return () => {
        const session = end.get(rows.length, change.now, change.status, sessionId, change.now);
        if (session === undefined) return false;
        const key = Number(session['key']);
        dropQueue.run(key);
        insertEvents(key, Number(session['nextIndex']) - rows.length, rows);
        reservations.release(key, true);
        return true;
      };
    },
  };
}

type EventRow = ReturnType<typeof eventRow>;

function eventRow({ event, concealed, itemId }: NewEvent) {
  const data = 'data' in event ? JSON.stringify(event.data) : null;
  const bytes = data === null ? 0 : Buffer.byteLength(data);
  if (bytes > maxEventBytes)
    throw new EventTooLarge(
      `An event ${event.type} of ${bytes} bytes; the log takes ${maxEventBytes} at most`,
    );
  return {
    type: event.type,
    data,
    id: event.meta.id,
    at: event.meta.at,
    concealed: concealed ? 1 : 0,
    itemId,
  };
}
