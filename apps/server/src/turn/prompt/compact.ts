import type { EventDataByType } from '@parley/protocol/event';
import { ModelError } from '../../model/model-error.ts';
import { newEvent } from '../../events/new-event.ts';
import { openTurn, waitingStep } from '../../session/state/phase.ts';
import type { Summary } from '../../session/state/schema.ts';
import { contextWindow, messageTokens } from './context-window.ts';
import { type TurnContext, checkpoint } from '../context.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { nameOldFiles, nameTooLarge } from './prompt-files.ts';
import { currentHistory, promptEntries } from './prompt.ts';
import { summariseHistory } from './summarise-history.ts';

type Turn = EventDataByType['turn.started'];

/** Compacts before a model call whose messages would have more tokens than the window has room for beside what is fixed. */
export async function compactIfNeeded(
  context: TurnContext,
  at: Turn,
  { window, fixed }: { readonly window: number; readonly fixed: number },
): Promise<void> {
  const through = lastTurnToSummarise(context);
  if (through === null) return;
  const room = messageTokens(context, window, fixed);
  const recent = nameOldFiles(promptEntries(context), openTurn(context.state)?.wholeFrom ?? at.sequence);
  const entries = nameTooLarge(recent, room);
  if (estimateTokens(entries.map(({ message }) => message)) <= room) return;
  await compact(context, at, async () => {
    try {
      return await summariseHistory(context, through, window);
    } catch (error) {
      if (!isLasting(error)) throw error;
      context.logger.warn({ err: error }, 'a history could not be summarised');
      return withoutSummary(context.state.summary);
    }
  });
}

/** Replaces the oldest turns in the prompt by a summary the model writes, because somebody asked for it. */
export function compactNow(context: TurnContext, at: Turn): Promise<void> {
  return compact(context, at, async (through) => {
    const tokens = estimateTokens(promptEntries(context).map(({ message }) => message));
    return summariseHistory(context, through, await contextWindow(context, tokens));
  });
}

/** The log and its history stay whole. */
async function compact(
  context: TurnContext,
  at: Turn,
  summarise: (through: number) => Promise<string>,
): Promise<void> {
  const through = lastTurnToSummarise(context);
  const { appender, model, session, state } = context;
  const event = { ...at, modelId: model.id, sessionId: session.id };
  appender.add(newEvent('compaction.requested', { ...event, usageInputTokens: null }));
  const summary = through === null ? state.summary : await newSummary(context, through, summarise);
  appender.add(newEvent('compaction.completed', event));
  // A replacement goes back behind the last summary at most: turns before the one before it cannot be replaced.
  const replaceable = state.messageIds.filter(({ turn }) => turn > (summary?.previous?.through ?? -1));
  await checkpoint(context, { state: { ...context.state, summary, messageIds: replaceable } });
}

async function newSummary(
  { state }: TurnContext,
  through: number,
  summarise: (through: number) => Promise<string>,
): Promise<Summary> {
  const text = await summarise(through);
  const before = state.summary && state.summary.through > state.clearedUpTo ? state.summary : null;
  return { text, through, previous: before && { text: before.text, through: before.through } };
}

/** The newest turn before what runs or waits for a person, or null when there is nothing to summarise. */
function lastTurnToSummarise({ state, history }: TurnContext): number | null {
  const running = openTurn(state)?.wholeFrom ?? waitingStep(state)?.sequence ?? Infinity;
  let last: number | null = null;
  for (const { turn } of currentHistory(state, history)) {
    if (turn < running && turn > (last ?? -1)) last = turn;
  }
  return last;
}

/** The same call would fail the same way: a conversation must not end for that. */
function isLasting(error: unknown): boolean {
  return error instanceof ModelError && ['refused', 'malformed', 'too-long'].includes(error.kind);
}

function withoutSummary(summary: Summary | null): string {
  const before = summary ? `${summary.text}\n` : '';
  return `${before}[What was said after this is left out: it could not be summarised.]`;
}
