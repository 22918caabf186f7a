import type { MessageBody, TeamAction } from '../../session/queue-item.ts';
import { storedParts } from '../../events/file-addresses.ts';
import { newEvent } from '../../events/new-event.ts';
import { type WaitingStep, idle, waitingStep } from '../../session/state/phase.ts';
import type { QueueItem } from '../../store/queue-store.ts';
import { inputExpired } from '../approvals.ts';
import { abandonedCalls } from '../client-tool-results.ts';
import { type TurnContext, checkpoint, turnAt } from '../context.ts';
import { stepHistory } from '../tool-calls.ts';
import { isTeamQuestion } from '../../session/input-requests.ts';
import { teamAuthor } from './team-author.ts';
import { withdrawnQuestions } from './team-question.ts';

/**
 * From here on the member answers and the agent is not asked. What the agent had asked is withdrawn. Changes nothing
 * where somebody holds the conversation: items run one after the other under the lease, so of two members one has it.
 */
export async function takeOver(
  context: TurnContext,
  item: QueueItem,
  { member }: Extract<TeamAction, { kind: 'take-over' }>,
): Promise<void> {
  const { state, session, appender } = context;
  const consume = [item.position];
  if (state.hold || state.mode === 'task') return checkpoint(context, { state, consume, release: true });
  const waiting = waitingStep(state);
  const interrupted = await interruptedMessage(context, item);
  const unanswered = [
    ...(interrupted ? [interrupted.body] : []),
    ...(waiting?.held.map(({ body }) => body) ?? []),
  ];
  appender.add(
    ...(session.nextIndex === 0 ? [newEvent('session.started', { runtime: context.description })] : []),
    ...(waiting?.requests ?? [])
      .filter((pending) => !pending.response && !pending.expired && !isTeamQuestion(pending))
      .map(({ request }) => inputExpired(waiting!, request)),
    ...withdrawnQuestions(waiting),
    ...abandonedCalls(waiting, 'A person answers now.'),
    newEvent(
      'team.joined',
      { ...turnAt(Math.max(state.nextTurn - 1, 0)), author: teamAuthor(member) },
      { itemId: item.id },
    ),
  );
  const fromIndex = interrupted?.index ?? session.nextIndex;
  return checkpoint(context, {
    state: { ...state, phase: idle, hold: { member, fromIndex, unanswered, isAwayTold: false } },
    ...(waiting && { history: withdrawnStep(waiting), settleTurns: [waiting.sequence] }),
    thread: { holder: member, isWaiting: unanswered.length > 0 },
    consume,
    release: true,
  });
}

/** What the agent did before it asked stays known to it; what it asked for was not done. */
function withdrawnStep({ sequence, content, calls }: WaitingStep) {
  const reason = 'A person of the team took the conversation over before this was answered.';
  const settled = calls.map((call) => ({
    ...call,
    result: call.result ?? { type: 'execution-denied' as const, reason },
  }));
  return stepHistory(sequence, content, settled);
}

/** Events at the beginning of a turn among which its message is. */
const firstEvents = 10;

/** The message of the turn that was cancelled for this: the agent has not answered it, and its prompts leave it out. */
async function interruptedMessage(
  { store, session, state }: TurnContext,
  { acceptedIndex }: QueueItem,
): Promise<{ readonly body: MessageBody; readonly index: number } | null> {
  const after = state.nextTurn - 2;
  const { items } = await store.listTurnsOf(session.id, {
    after: after < 0 ? null : String(after),
    limit: 1,
  });
  const [turn] = items;
  const isInterrupted =
    turn?.status === 'cancelled' && turn.lastIndex !== null && turn.lastIndex >= (acceptedIndex ?? Infinity);
  if (!isInterrupted) return null;
  const { events } = await store.readEvents(session.id, turn.firstIndex, firstEvents);
  for (const { event, index } of events) {
    if (event.type !== 'message.received') continue;
    const { message: text, parts } = event.data;
    return { body: { text, ...storedParts(parts) }, index };
  }
  return null;
}
