import type { ModelMessage } from 'ai';
import type { Logger } from 'pino';
import type { EventDataByType } from '@parley/protocol/event';
import type { AgentSettings } from '@parley/protocol/settings/agent';
import type { Model } from '../model/model.ts';
import { newEvent } from '../session/new-event.ts';
import type { SessionState } from '../session/state.ts';
import { tokenMeter } from '../session/token-reservation.ts';
import type { HistoryEntry, SessionRecord, Store } from '../store/store.ts';
import type { Tool } from '../tool/tool.ts';
import type { Appender } from './appender.ts';
import { type ResultIds, splitCallResults } from './call-results.ts';
import type { Change } from './merge-changes.ts';
import type { TokenBudget } from './token-budget.ts';
import { wakeAt } from './wake-at.ts';

export interface AgentInUse {
  readonly id: string;
  readonly name: string;
  readonly settings: AgentSettings;
}

export interface HistoryMessage extends HistoryEntry {
  readonly message: ModelMessage;
}

/** Everything one turn works with. `state` and `history` are what the log will hold once pending commits are done. */
export interface TurnContext {
  readonly store: Store;
  readonly session: SessionRecord;
  readonly agent: AgentInUse;
  readonly model: Model;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly asksQuestions: boolean;
  readonly appender: Appender;
  readonly tokens: TokenBudget;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  state: SessionState;
  readonly resultIds: ResultIds;
  history: HistoryMessage[];
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
  const meter = point.release ? {} : { meter: tokenMeter(context.agent.id) };
  const { released, used } = await context.appender.commit({ ...applied(context, point), ...meter });
  context.released = released;
  context.tokens.counted(used);
}

/** The same where nothing that follows depends on the log holding it. */
export function checkpointSoon(context: TurnContext, point: Checkpoint): void {
  context.appender.commitSoon(applied(context, point));
}

function applied(context: TurnContext, { state, ...change }: Checkpoint): Change {
  context.state = state;
  if (change.withdraw) {
    const withdrawn = change.withdraw;
    context.history = context.history.filter(({ turn }) => !withdrawn.includes(turn));
  }
  if (change.history) context.history.push(...change.history);
  return {
    ...change,
    ...context.tokens.spend(),
    ...splitCallResults(state, context.resultIds),
    wakeAt: wakeAt(context.session, state),
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
