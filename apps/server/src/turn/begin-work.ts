import { randomUUID } from 'node:crypto';
import type { TurnInput, QueueItemBody } from '../session/queue-item.ts';
import { emptyInput } from '../session/message-input.ts';
import type { QueueItem } from '../store/queue-store.ts';
import type { TurnContext } from './context.ts';
import { countInterruptedStep, recoverTurn } from './recover.ts';
import { clearContext, compactContext } from './session-commands.ts';
import { startTurn } from './start-turn.ts';
import { amendCall } from './team/amend-call.ts';
import { delegateApproval } from './team/delegate-approval.ts';
import { answerApproval } from './team/answer-approval.ts';
import { answerQuestion } from './team/answer-question.ts';
import { handBack } from './team/hand-back.ts';
import { sendTeamMessage } from './team/send-team-message.ts';
import { takeOver } from './team/take-over.ts';
import { whisper } from './team/whisper.ts';
import type { TurnSource } from './turn-source.ts';

const nothing: TurnInput = { ...emptyInput, kind: 'delivery', message: null };

/** Begins what the source asks for, or makes the open turn ready to go on. A control is done with it. */
export function beginWork(context: TurnContext, source: TurnSource): Promise<void> {
  if (source === 'wake-up') {
    const wakeUp = {
      id: randomUUID(),
      at: Date.now(),
      acceptedIndex: null,
      consume: [],
      by: 'visitor' as const,
    };
    return startTurn(context, { ...wakeUp, unattended: true }, nothing);
  }
  if (source !== 'resume') return beginItem(context, source);
  return context.signal.aborted ? countInterruptedStep(context) : recoverTurn(context);
}

export function isTurnInput({ body }: QueueItem): boolean {
  return (body as QueueItemBody).kind === 'delivery';
}

function beginItem(context: TurnContext, item: QueueItem): Promise<void> {
  const body = item.body as QueueItemBody;
  switch (body.kind) {
    case 'delivery':
      return startTurn(
        context,
        {
          id: item.id,
          at: item.acceptedAt,
          acceptedIndex: item.acceptedIndex,
          consume: [item.position],
          by: 'visitor',
        },
        body,
      );
    case 'clear':
      return clearContext(context, item);
    case 'compact':
      return compactContext(context, item);
    case 'take-over':
      return takeOver(context, item, body);
    case 'team-message':
      return body.answers === undefined
        ? sendTeamMessage(context, item, body)
        : answerQuestion(context, item, body.member, { requestId: body.answers, text: body.text });
    case 'whisper':
      return whisper(context, item, body);
    case 'answer-approval':
      if (body.requestId !== null) return answerApproval(context, item, body);
      return 'delegates' in body ? delegateApproval(context, item, body) : amendCall(context, item, body);
    case 'hand-back':
      return handBack(context, item, body);
    default:
      // What a later version has queued beside this one must not be taken up again and again.
      throw new Error(`This version knows no item of the kind ${String((body as { kind: unknown }).kind)}.`);
  }
}
