import type { FailureCause } from '@parley/protocol/failure-cause';
import type { EventDataByType } from '@parley/protocol/event';
import type { QueueItemBody } from '../session/queue-item.ts';
import { newEvent, sessionCompleted } from '../events/new-event.ts';
import { type Turn, idle, openTurn } from '../session/state/phase.ts';
import { readState } from '../session/state/read-state.ts';
import type { SessionState } from '../session/state/schema.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { QueueItem } from '../store/queue-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import { stepHistory } from './tool-calls.ts';
import { silentTurnEnd, turnEnd } from './turn-end.ts';
import { turnStarted } from './turn-started.ts';
import { type Checkpoint, sessionWaiting, stepAt, turnAt } from './context.ts';

export interface FinishedTurn {
  readonly events: readonly NewEvent[];
  readonly change: Checkpoint;
}

/** A conversation waits for the next message; a task is over with its only turn. */
export function afterTurn(
  { mode }: SessionState,
  failed: EventDataByType['session.failed'] | null = null,
  concealed = false,
): { readonly events: readonly NewEvent[]; readonly change: Pick<Checkpoint, 'release' | 'status'> } {
  if (mode !== 'task') return { events: [sessionWaiting()], change: { release: true } };
  return failed
    ? { events: [newEvent('session.failed', failed, { concealed })], change: { status: 'failed' } }
    : { events: [sessionCompleted()], change: { status: 'completed' } };
}

/** Ends the open turn because somebody asked for it. What it said stays in the log and leaves the prompt. */
export function cancelTurn(state: SessionState): FinishedTurn {
  const turn = requireTurn(state);
  const { events, change } = afterTurn(state);
  return {
    events: [newEvent('turn.cancelled', turnAt(turn.sequence)), ...events],
    change: { ...withdrawTurn(state, 'cancelled'), ...change },
  };
}

export interface Failure {
  readonly code: 'MODEL_CALL_FAILED' | 'QUOTA_EXCEEDED' | 'TURN_TIMEOUT' | 'INTERNAL';
  /** Written for the visitor. */
  readonly message: string;
  /** Written for whoever sets the agent up. */
  readonly cause?: FailureCause;
}

/** What an event says of a failure; its cause is for readers with a secret key. */
function failureData({ code, message, cause }: Failure, errorId: string) {
  return { code, message, details: { errorId, ...(cause && { cause }) } };
}

/** Ends the open turn as failed. The operator finds the cause in the log by `details.errorId`. */
export function failTurn(
  { id: sessionId }: Pick<SessionRecord, 'id'>,
  state: SessionState,
  failure: Failure,
  errorId: string,
): FinishedTurn {
  const turn = requireTurn(state);
  const failed = failureData(failure, errorId);
  const concealed = failure.cause !== undefined;
  const { events, change } = afterTurn(state, { ...failed, sessionId }, concealed);
  return {
    events: [
      newEvent('step.failed', { ...stepAt(turn.sequence, turn.stepIndex), ...failed }, { concealed }),
      newEvent('turn.failed', { ...turnAt(turn.sequence), ...failed }, { concealed }),
      ...events,
    ],
    change: { ...withdrawTurn(state, 'failed'), ...change },
  };
}

/**
 * Ends an item whose turn could not even begin, so that it does not come back for ever: an input as a failed turn,
 * a control without effect.
 */
export function failItem(
  session: SessionRecord,
  item: QueueItem,
  failure: Failure,
  errorId: string,
): FinishedTurn {
  const state = readState(session);
  const consume = [item.position];
  if ((item.body as QueueItemBody).kind !== 'delivery')
    return { events: [sessionWaiting()], change: { state, consume, release: true } };
  const sequence = state.nextTurn;
  const failed = { ...failure, details: { errorId } };
  const { events, change } = afterTurn(state, { ...failed, sessionId: session.id });
  return {
    events: [
      ...(session.nextIndex === 0 ? [newEvent('session.started', {})] : []),
      turnStarted(sequence, { itemId: item.id, author: 'visitor', configuration: null, modelId: null }),
      newEvent('turn.failed', { ...turnAt(sequence), ...failed }),
      ...events,
    ],
    change: {
      state: { ...state, nextTurn: sequence + 1 },
      endTurns: [silentTurnEnd('failed', sequence)],
      consume,
      ...change,
    },
  };
}

/** An approved step that belongs to an earlier turn stays: its calls may have taken effect. */
function withdrawTurn(state: SessionState, status: 'cancelled' | 'failed'): Checkpoint {
  const turn = requireTurn(state);
  const { phase } = state;
  const step = phase.type === 'tools' && phase.step.resumed ? phase.step : null;
  const history = step ? stepHistory(step.historyTurn, step.content, step.calls) : [];
  return {
    state: { ...state, phase: idle },
    endTurns: [turnEnd(status, turn)],
    retract: [turn.sequence],
    history,
  };
}

function requireTurn(state: SessionState): Turn {
  const turn = openTurn(state);
  if (!turn) throw new Error('No turn is open.');
  return turn;
}
