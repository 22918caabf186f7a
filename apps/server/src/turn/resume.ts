import type { SessionEvent } from '@parley/protocol/event';
import { logPages } from '../session/log-pages.ts';
import { newEvent } from '../session/new-event.ts';
import type { OpenTurn } from '../session/state.ts';
import { textTokens } from '../session/text-tokens.ts';
import { answerCall, deliverableCalls, isChanged, unknownOutcome } from './calls.ts';
import { fixedTokens } from './context-window.ts';
import { type TurnContext, checkpoint, stepAt } from './context.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { nameOldFiles } from './prompt-files.ts';
import { promptEntries } from './prompt.ts';

/**
 * Makes a turn that was cut off ready to go on: calls without an answer are announced as retried when they are
 * safe to repeat and closed as unknown otherwise; text that was being said is kept as a step of its own, and the
 * model goes on after it.
 */
export async function prepareResume(context: TurnContext): Promise<void> {
  const { turn } = context.state;
  if (!turn) return;
  if (turn.step) await settleInterruptedCalls(context, turn);
  else await keepInterruptedText(context, turn);
}

async function settleInterruptedCalls(context: TurnContext, turn: OpenTurn): Promise<void> {
  if (!turn.step) return;
  for (const call of deliverableCalls(turn.step)) {
    const tool = context.tools.get(call.toolName);
    if (tool?.idempotent && !isChanged(call, tool)) {
      const at = stepAt(turn.sequence, turn.stepIndex);
      context.appender.add(newEvent('action.retried', { ...at, callId: call.callId }));
    } else {
      await answerCall(context, call, unknownOutcome);
    }
  } // Another crash must find in the log that the calls were made again.
  await context.appender.commit({});
}

async function keepInterruptedText(context: TurnContext, turn: OpenTurn): Promise<void> {
  const said = await interruptedStep(context, turn);
  if (said.events === 0) return;
  // The process that was told what the call used did not live to count it.
  const prompt = nameOldFiles(promptEntries(context), turn.wholeFrom).map(({ message }) => message);
  context.tokens.add(
    fixedTokens(context) + estimateTokens(prompt) + textTokens(said.text + said.openReasoning),
  );
  const at = stepAt(turn.sequence, turn.stepIndex);
  if (said.openReasoning !== '') {
    context.appender.add(newEvent('reasoning.completed', { ...at, reasoning: said.openReasoning }));
  }
  if (said.text !== '') {
    context.appender.add(newEvent('message.completed', { ...at, message: said.text, finishReason: 'other' }));
  }
  context.appender.add(
    newEvent('step.completed', { ...at, finishReason: 'other' }),
    newEvent('step.started', stepAt(turn.sequence, turn.stepIndex + 1)),
  );
  const message = { role: 'assistant' as const, content: [{ type: 'text' as const, text: said.text }] };
  await checkpoint(context, {
    state: { ...context.state, turn: { ...turn, stepIndex: turn.stepIndex + 1 } },
    history: said.text === '' ? [] : [{ turn: turn.sequence, message }],
  });
}

/** What the open step had said by the end of the log. */
async function interruptedStep({ store, session }: TurnContext, turn: OpenTurn) {
  const from = await store.stepStart(session.id, Math.max(session.nextIndex - 1, 0));
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
