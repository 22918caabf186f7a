import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import { type EventRow, eventRow } from '../event-row.ts';
import type { Commit, CommitResult } from '../event-store.ts';
import type { Lease } from '../lease-store.ts';
import type { SessionStore } from '../session-store.ts';
import type { Row } from '../query-engine.ts';
import { LeaseLostError } from '../store-error.ts';
import { searchedTypes } from '../message-store.ts';
import { prepareApprovalMails } from './approval-mails.ts';
import { prepareAudit } from './audit.ts';
import { prepareCommands } from './commands.ts';
import { prepareDeliveries } from './deliveries.ts';
import { idleSince } from './idle-since.ts';
import { prepareLeases } from './lease.ts';
import { prepareQuotas } from './quotas.ts';
import { prepareReservations, reservationColumns, type SessionReservation } from './reservations.ts';
import { prepareThreads } from './threads.ts';
import { prepareTurns } from './turns.ts';

const isMessage: ReadonlySet<string> = new Set(searchedTypes);

export interface Appends {
  commit(lease: Lease, commit: Commit): () => CommitResult;
  end(...end: Parameters<SessionStore['endSession']>): () => number | null;
}

/** `EventStore.commit` and `SessionStore.endSession`: the values are serialised at once, the work runs in the shared transaction. */
export function prepareAppends(connection: DatabaseSync, clock: Clock): Appends {
  const advance = connection.prepare(`
    UPDATE sessions SET next_index = next_index + ?, active_at = max(active_at, ?),
      state = coalesce(?, state), status = coalesce(?, status), wake_at = iif(?, ?, wake_at)
    WHERE id = ? AND epoch = ? AND owner IS NOT NULL
    RETURNING key, agent_id AS agentId, next_index AS nextIndex, ${reservationColumns}`);
  const end = connection.prepare(`
    UPDATE sessions SET next_index = next_index + ?, active_at = max(active_at, ?), status = ?,
      owner = NULL, lease_until = 0, wake_at = NULL
    WHERE id = ? AND status = 'open' AND owner IS NULL AND active_at <= ?
    RETURNING key, agent_id AS agentId, next_index AS nextIndex`);
  const insertEvent = connection.prepare(`
    INSERT INTO events (session, idx, type, data, id, at, concealed, item_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  // A trigger would cost every delta as much as its row.
  const noteMessage = connection.prepare(
    'INSERT INTO unsearched_events (session, first_index, last_index) VALUES (?1, ?2, ?2)',
  );
  const retract = connection.prepare('DELETE FROM history WHERE session = ? AND turn = ?');
  const insertHistory = connection.prepare(`
    INSERT INTO history (session, position, turn, message)
    VALUES (?1, (SELECT coalesce(max(position) + 1, 0) FROM history WHERE session = ?1), ?2, ?3)`);
  const insertResult = connection.prepare(
    'INSERT INTO call_results (session, call_id, result) VALUES (?, ?, ?)',
  );
  const dropResult = connection.prepare('DELETE FROM call_results WHERE session = ? AND call_id = ?');
  const quotas = prepareQuotas(connection);
  const reservations = prepareReservations(connection);
  const leases = prepareLeases(connection, clock);
  const commands = prepareCommands(connection, clock);
  const turns = prepareTurns(connection);
  const threads = prepareThreads(connection);
  const addDeliveries = prepareDeliveries(connection);
  const addMails = prepareApprovalMails(connection);
  const noteChanges = prepareAudit(connection);
  const consume = connection.prepare('DELETE FROM queue WHERE session = ? AND position = ?');
  const dropQueue = connection.prepare('DELETE FROM queue WHERE session = ?');
  const letGo = connection.prepare(
    'UPDATE sessions SET owner = NULL, lease_until = 0, wake_at = NULL, reserved = 0 WHERE key = ?',
  );

  /** Index of the first of them. `session` is the row as it is after the append. */
  function insertEvents(session: Row, rows: readonly EventRow[]): number {
    const key = Number(session['key']);
    const firstIndex = Number(session['nextIndex']) - rows.length;
    let index = firstIndex;
    for (const { type, data, id, at, concealed, itemId, turn } of rows) {
      insertEvent.run(key, index, type, data, id, at, concealed, itemId);
      if (isMessage.has(type)) noteMessage.run(key, index);
      if (turn) turns.start({ key, agentId: String(session['agentId']) }, index, itemId, turn);
      index += 1;
    }
    return firstIndex;
  }

  return {
    commit(lease, commit) {
      const { sessionId, epoch } = lease;
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
        const now = clock();
        const session = advance.get(
          rows.length,
          now,
          state,
          commit.status ?? null,
          commit.wakeAt === undefined ? 0 : 1,
          commit.wakeAt ?? null,
          sessionId,
          epoch,
        );
        if (session === undefined) throw new LeaseLostError(`Somebody else runs session ${sessionId}`);
        const key = Number(session['key']);
        const firstIndex = insertEvents(session, rows);
        for (const turn of commit.retract ?? []) retract.run(key, turn);
        for (const { turn, message } of history) insertHistory.run(key, turn, message);
        for (const { callId, result } of results) insertResult.run(key, callId, result);
        for (const callId of commit.dropResults ?? []) dropResult.run(key, callId);
        for (const turn of commit.endTurns ?? []) turns.end(key, firstIndex + rows.length - 1, turn);
        for (const sequence of commit.settleTurns ?? []) turns.settle(key, sequence);
        for (const position of commit.consume ?? []) consume.run(key, position);
        if (commit.thread) threads.put(key, commit.thread, now);
        addDeliveries({ key, id: sessionId }, commit.deliveries ?? [], now);
        addMails(key, commit.approvalMails ?? [], now);
        noteChanges(commit.audit ?? []);
        commands.finish(key, commit.commands ?? []);
        const ends = commit.status !== undefined && commit.status !== 'open';
        if (ends) {
          dropQueue.run(key);
          commands.finishAll(key);
          letGo.run(key);
          turns.cancelAll(key, now);
          threads.end(key);
        }
        const released = ends || (commit.release === true && leases.release(lease));
        let held = session as unknown as SessionReservation;
        const { meter, spend = [] } = commit;
        if (ends || commit.release === true) held = reservations.settle(key, held, spend, { released, now });
        else quotas.record(spend, now);
        return {
          firstIndex,
          released,
          ...(meter && { used: reservations.used(held, meter, now) }),
        };
      };
    },

    end(sessionId, change) {
      const rows = change.events.map(eventRow);
      return () => {
        const now = clock();
        const session = end.get(rows.length, now, change.status, sessionId, idleSince(now, change.idleMs));
        if (session === undefined) return null;
        const key = Number(session['key']);
        dropQueue.run(key);
        commands.finishAll(key);
        insertEvents(session, rows);
        addDeliveries({ key, id: sessionId }, change.deliveries ?? [], now);
        turns.cancelAll(key, now);
        threads.end(key);
        reservations.release(key);
        return Number(session['nextIndex']) - rows.length;
      };
    },
  };
}
