import type { SessionEvent } from '@parley/protocol/event';
import { logPages } from '../events/log-pages.ts';
import { newEvent } from '../events/new-event.ts';
import type { ToolStep, Turn } from '../session/state/phase.ts';
import { textTokens } from '../limit/text-tokens.ts';
import { waitingCallIds } from './sign-in-waits.ts';
import { deliverableCalls } from './deliverable-calls.ts';
import { answerCall, isChanged, unknownOutcome } from './tool-calls.ts';
import { Citations, judgeWhole } from './citations.ts';
import { citableSources } from './retrieved.ts';
import { serverTool } from './offered-tools.ts';
import { fixedTokens } from './prompt/context-window.ts';
import { type TurnContext, checkpoint, stepAt } from './context.ts';
import { estimateTokens } from './prompt/estimate-tokens.ts';
import { nameOldFiles } from './prompt/prompt-files.ts';
import { promptEntries } from './prompt/prompt.ts';

/**
 * Makes a turn that was cut off ready to go on: calls without an answer are announced as retried when they are
 * safe to repeat and closed as unknown otherwise; text that was being said is kept as a step of its own, and the
 * model goes on after it.
 */
export async function recoverTurn(context: TurnContext): Promise<void> {
  const { phase } = context.state;
  if (phase.type === 'tools') await settleInterruptedCalls(context, phase.turn, phase.step);
  if (phase.type === 'model') await keepInterruptedText(context, phase.turn);
}

async function settleInterruptedCalls(context: TurnContext, turn: Turn, step: ToolStep): Promise<void> {
  const notMade = waitingCallIds(step);
  for (const call of deliverableCalls(step)) {
    if (notMade.has(call.callId)) continue;
    const tool = serverTool(context, call.toolName);
    if (tool?.idempotent && !isChanged(call, tool)) {
      const at = stepAt(turn.sequence, turn.stepIndex);
      context.appender.add(newEvent('action.retried', { ...at, callId: call.callId }));
    } else {
      await answerCall(context, call, unknownOutcome);
    }
  } // Another crash must find in the log that the calls were made again.
  await context.appender.commit({});
}

async function keepInterruptedText(context: TurnContext, turn: Turn): Promise<void> {
  const said = await interruptedStep(context, turn);
  if (said.events === 0) return;
  countTokens(context, turn, said);
  const at = stepAt(turn.sequence, turn.stepIndex);
  const citations = new Citations(citableSources(context));
  // Before anything is added: events that wait are written without the state that belongs to them.
  await judgeWhole(citations, said.text);
  if (said.openReasoning !== '') {
    context.appender.add(newEvent('reasoning.completed', { ...at, reasoning: said.openReasoning }));
  }
  if (said.text !== '') {
    const cited = citations.cited.length > 0 && { sources: citations.cited };
    const message = { ...at, message: said.text, finishReason: 'other' as const, ...cited };
    context.appender.add(newEvent('message.completed', message));
  }
  context.appender.add(
    newEvent('step.completed', { ...at, finishReason: 'other' }),
    newEvent('step.started', stepAt(turn.sequence, turn.stepIndex + 1)),
  );
  const message = { role: 'assistant' as const, content: [{ type: 'text' as const, text: said.text }] };
  await checkpoint(context, {
    state: { ...context.state, phase: { type: 'model', turn: { ...turn, stepIndex: turn.stepIndex + 1 } } },
    history: said.text === '' ? [] : [{ turn: turn.sequence, message }],
  });
}

/** For a turn that was cut off and is not to go on: counts what it has used. */
export async function countInterruptedStep(context: TurnContext): Promise<void> {
  const { phase } = context.state;
  if (phase.type !== 'model') return;
  const said = await interruptedStep(context, phase.turn);
  if (said.events > 0) countTokens(context, phase.turn, said);
}

/** The process that was told what the call used did not live to count it. */
function countTokens(context: TurnContext, { wholeFrom }: Turn, said: InterruptedStep): void {
  const prompt = nameOldFiles(promptEntries(context), wholeFrom).map(({ message }) => message);
  context.tokens.add(
    fixedTokens(context) + estimateTokens(prompt),
    textTokens(said.text + said.openReasoning),
  );
}

interface InterruptedStep {
  events: number;
  text: string;
  openReasoning: string;
}

/** What the open step had said by the end of the log. */
async function interruptedStep({ store, session }: TurnContext, turn: Turn): Promise<InterruptedStep> {
  const from = await store.stepStartIndex(session.id, Math.max(session.nextIndex - 1, 0));
  const said = { events: 0, text: '', openReasoning: '' };
  for await (const events of logPages(store, session.id, { from }))
    for (const { event } of events) add(event);
  return said;

  function add(event: SessionEvent): void {
    if (!('data' in event) || !('stepIndex' in event.data)) return;
    if (event.data.turnId !== `turn_${turn.sequence}` || event.data.stepIndex !== turn.stepIndex) return;
    switch (event.type) {
      case 'message.appended':
        said.text += event.data.messageDelta;
        break;
      case 'reasoning.appended':
        said.openReasoning += event.data.reasoningDelta;
        break;
      case 'reasoning.completed':
        said.openReasoning = '';
        break;
      case 'action.appended':
        break;
      default:
        return;
    }
    said.events += 1;
  }
}
