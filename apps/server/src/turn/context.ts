import type { Logger } from 'pino';
import type { EventDataByType } from '@parley/protocol/event';
import type { Message } from '../model/message.ts';
import type { Model } from '../model/model.ts';
import { newEvent } from '../events/new-event.ts';
import { changeTurn } from '../session/state/phase.ts';
import type { SessionState } from '../session/state/schema.ts';
import { tokenMeter } from '../limit/token-reservation.ts';
import type { HistoryEntry } from '../store/history-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import type { Span } from '../trace/span.ts';
import type { Appender } from '../events/appender.ts';
import type { CurrentTurn } from './current-turn.ts';
import type { AgentRuntime } from './agent-runtime.ts';
import { type ResultIds, splitCallResults } from './call-results.ts';
import type { Change } from '../events/merge-changes.ts';
import type { TokenBudget } from './token-budget.ts';
import { nextWakeup } from './next-wakeup.ts';

export interface HistoryMessage extends HistoryEntry {
  readonly message: Message;
}

/** Everything one turn works with. `state` and `history` are what the log will hold once pending commits are done. */
export interface TurnContext extends Omit<AgentRuntime, 'release'> {
  readonly store: Store;
  readonly session: SessionRecord;
  readonly appender: Appender;
  readonly tokens: TokenBudget;
  readonly signal: AbortSignal;
  readonly rest: CurrentTurn['rest'];
  /** Every line of it says whose turn it is. */
  readonly logger: Logger;
  readonly span: Span | null;
  state: SessionState;
  readonly resultIds: ResultIds;
  history: HistoryMessage[];
  /** Unix milliseconds when the first words or thoughts that a reader is shown came from the model, or null. */
  firstDeltaAt: number | null;
  /** Whether readers were shown anything of the step that runs: it cannot be begun again. */
  hasSpoken: boolean;
  /** Until the model has refused a prompt with files: the steps that follow would be refused with the same ones. */
  takesFiles: boolean;
  /** The fallback, once it answers the rest of the turn in place of the model. */
  standIn: Model | null;
  /** The lease was let go with the last commit: there is nothing left to do. */
  released: boolean;
}

export interface Checkpoint extends Omit<
  Change,
  'state' | 'history' | 'wakeAt' | 'results' | 'dropResults' | 'spend' | 'meter'
> {
  readonly state: SessionState;
  readonly history?: readonly HistoryMessage[];
}

/** Moves the turn on: in memory at once, in the log when the returned promise resolves. */
export async function checkpoint(context: TurnContext, point: Checkpoint): Promise<void> {
  const meter = point.release || point.status ? {} : { meter: tokenMeter(context.agent.id) };
  const { released, used } = await context.appender.commit({ ...applied(context, point), ...meter });
  context.released = released;
  context.tokens.counted(used);
}

/** The same where nothing that follows depends on the log holding it. */
export function checkpointSoon(context: TurnContext, point: Checkpoint): void {
  context.appender.commitSoon(applied(context, point));
}

function applied(context: TurnContext, { state: next, endTurns, ...change }: Checkpoint): Change {
  const {
    tokens: { usage },
    firstDeltaAt,
    standIn,
  } = context;
  const answered = { ...usage, firstDeltaAt, ...(standIn && { modelId: standIn.id }) };
  const state = { ...next, phase: changeTurn(next.phase, (turn) => ({ ...turn, usage, firstDeltaAt })) };
  context.state = state;
  if (change.retract) {
    const withdrawn = change.retract;
    context.history = context.history.filter(({ turn }) => !withdrawn.includes(turn));
  }
  if (change.history) context.history.push(...change.history);
  return {
    ...change,
    ...(endTurns && { endTurns: endTurns.map((end) => ({ ...end, ...answered })) }),
    ...context.tokens.spend(),
    ...splitCallResults(state, context.resultIds),
    wakeAt: nextWakeup(context.session, state),
  };
}

export function turnAt(sequence: number): EventDataByType['turn.started'] {
  return { sequence, turnId: `turn_${sequence}` };
}

export function stepAt(sequence: number, stepIndex: number): EventDataByType['step.started'] {
  return { sequence, turnId: `turn_${sequence}`, stepIndex };
}

/** The token is filled in when the event is read. */
export function sessionWaiting() {
  return newEvent('session.waiting', { wait: 'next-user-message', continuationToken: '' });
}
