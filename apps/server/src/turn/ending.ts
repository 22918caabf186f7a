import type { ItemBody } from '../session/item.ts';
import { newEvent } from '../session/new-event.ts';
import type { SessionState } from '../session/state.ts';
import type { NewEvent, QueuedItem, SessionRecord } from '../store/store.ts';
import { stepHistory } from './calls.ts';
import { type Checkpoint, sessionWaiting, stepAt, turnAt } from './context.ts';

export interface Ending {
  readonly events: readonly NewEvent[];
  readonly change: Checkpoint;
}

/** Ends the open turn because somebody asked for it. What it said stays in the log and leaves the prompt. */
export function cancelTurn(state: SessionState): Ending {
  const turn = requireTurn(state);
  return {
    events: [newEvent('turn.cancelled', turnAt(turn.sequence)), sessionWaiting()],
    change: withdrawTurn(state),
  };
}

export interface Failure {
  readonly code: 'MODEL_CALL_FAILED' | 'QUOTA_EXCEEDED' | 'TURN_TIMEOUT' | 'INTERNAL';
  /** Written for the visitor. */
  readonly message: string;
}

/** Ends the open turn as failed. The operator finds the cause in the log by `details.errorId`. */
export function failTurn(state: SessionState, failure: Failure, errorId: string): Ending {
  const turn = requireTurn(state);
  const failed = { ...failure, details: { errorId } };
  return {
    events: [
      newEvent('step.failed', { ...stepAt(turn.sequence, turn.stepIndex), ...failed }),
      newEvent('turn.failed', { ...turnAt(turn.sequence), ...failed }),
      sessionWaiting(),
    ],
    change: withdrawTurn(state),
  };
}

/**
 * Ends an item whose turn could not even begin, so that it does not come back for ever: a delivery as a failed turn,
 * a control without effect.
 */
export function failItem(
  session: SessionRecord,
  item: QueuedItem,
  failure: Failure,
  errorId: string,
): Ending {
  const state = session.state as SessionState;
  const consume = [item.position];
  if ((item.body as ItemBody).kind !== 'delivery')
    return { events: [sessionWaiting()], change: { state, consume, release: true } };
  const at = turnAt(state.nextTurn);
  return {
    events: [
      ...(session.nextIndex === 0 ? [newEvent('session.started', {})] : []),
      newEvent('turn.started', at, { itemId: item.id }),
      newEvent('turn.failed', { ...at, ...failure, details: { errorId } }),
      sessionWaiting(),
    ],
    change: { state: { ...state, nextTurn: state.nextTurn + 1 }, consume, release: true },
  };
}

/** An approved step that belongs to an earlier turn stays: its calls may have taken effect. */
function withdrawTurn(state: SessionState): Checkpoint {
  const { sequence, step } = requireTurn(state);
  const history = step?.resumed ? stepHistory(step.historyTurn, step.content, step.calls) : [];
  return { state: { ...state, turn: null }, withdraw: [sequence], history, release: true };
}

function requireTurn(state: SessionState) {
  if (!state.turn) throw new Error('No turn is open.');
  return state.turn;
}
