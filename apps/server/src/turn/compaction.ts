import type { EventDataByType } from '@parley/protocol/event';
import { summaryCall } from '../model/summarise.ts';
import { newEvent } from '../session/new-event.ts';
import { callModel } from './call-model.ts';
import { type TurnContext, checkpoint } from './context.ts';
import { currentHistory, estimateTokens, promptMessages } from './prompt.ts';

/** What every current model of the supported providers can read. */
const defaultContextTokens = 100_000;

type Turn = EventDataByType['turn.started'];

/** Compacts before a model call whose prompt would outgrow the agent's `contextTokens`. */
export async function compactIfNeeded(context: TurnContext, at: Turn): Promise<void> {
  if (lastTurnToSummarise(context) === null) return;
  const limit = context.agent.settings.contextTokens ?? defaultContextTokens;
  if (estimateTokens(promptMessages(context)) <= limit) return;
  await compact(context, at);
}

/** Replaces the oldest turns in the prompt by a summary the model writes; the log and its history stay whole. */
export async function compact(context: TurnContext, at: Turn): Promise<void> {
  const through = lastTurnToSummarise(context);
  const { appender, model, session } = context;
  const event = { ...at, modelId: model.id, sessionId: session.id };
  appender.add(newEvent('compaction.requested', { ...event, usageInputTokens: null }));
  const summary =
    through === null ? context.state.summary : { text: await writeSummary(context, through), through };
  appender.add(newEvent('compaction.completed', event));
  await checkpoint(context, { state: { ...context.state, summary } });
}

/** The newest turn before what runs or waits for a person, or null when there is nothing to summarise. */
function lastTurnToSummarise({ state, history }: TurnContext): number | null {
  const running = state.turn?.wholeFrom ?? state.parked?.sequence ?? Infinity;
  const turns = currentHistory(state, history).map(({ turn }) => turn);
  const finished = turns.filter((turn) => turn < running);
  return finished.length > 0 ? Math.max(...finished) : null;
}

async function writeSummary(context: TurnContext, through: number): Promise<string> {
  const history = context.history.filter(({ turn }) => turn <= through);
  const messages = promptMessages({ state: context.state, history });
  let text = '';
  const call = summaryCall(messages, context.signal);
  for await (const part of callModel(context, call, () => estimateTokens(call.messages))) {
    if (part.type === 'text') text += part.text;
  }
  return text;
}
