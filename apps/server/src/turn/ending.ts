import { randomUUID } from 'node:crypto';
import { newEvent } from '../session/new-event.ts';
import type { SessionState } from '../session/state.ts';
import type { NewEvent } from '../store/store.ts';
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
  readonly code: 'MODEL_CALL_FAILED' | 'TURN_TIMEOUT' | 'INTERNAL';
  /** Written for the visitor. */
  readonly message: string;
}

/** Ends the open turn as failed. The operator finds the cause in the log by `details.errorId`. */
export function failTurn(state: SessionState, failure: Failure, errorId: string = randomUUID()): Ending {
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

/** An approved step that belongs to an earlier turn stays: its calls may have taken effect. */
function withdrawTurn(state: SessionState): Checkpoint {
  const { sequence, step } = requireTurn(state);
  const messageIds = state.messageIds.filter(({ turn }) => turn !== sequence);
  const history = step?.resumed ? stepHistory(step.historyTurn, step.content, step.calls) : [];
  return { state: { ...state, turn: null, messageIds }, withdraw: [sequence], history, release: true };
}

function requireTurn(state: SessionState) {
  if (!state.turn) throw new Error('No turn is open.');
  return state.turn;
}
