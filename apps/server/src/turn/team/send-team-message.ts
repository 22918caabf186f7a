import type { TeamAction } from '../../session/queue-item.ts';
import { newEvent } from '../../events/new-event.ts';
import type { QueueItem } from '../../store/queue-store.ts';
import { type TurnContext, checkpoint, sessionWaiting, stepAt, turnAt } from '../context.ts';
import { silentTurnEnd } from '../turn-end.ts';
import { turnStarted } from '../turn-started.ts';
import { teamAuthor } from './team-author.ts';

/** What a member says. Nothing is said by one who does not hold the conversation when it is their message's turn. */
export function sendTeamMessage(
  context: TurnContext,
  item: QueueItem,
  { member, text }: Extract<TeamAction, { kind: 'team-message' }>,
): Promise<void> {
  const { state, appender, configuration, revision } = context;
  const { hold } = state;
  const consume = [item.position];
  if (hold?.member.id !== member.id) return checkpoint(context, { state, consume, release: true });
  const sequence = state.nextTurn;
  const speaker = teamAuthor(hold.member);
  const at = stepAt(sequence, 0);
  appender.add(
    turnStarted(sequence, {
      itemId: item.id,
      author: 'team',
      configuration,
      revision,
      modelId: null,
      speaker,
    }),
    newEvent('step.started', at),
    newEvent('message.appended', { ...at, author: speaker, messageDelta: text }),
    newEvent('message.completed', { ...at, author: speaker, message: text, finishReason: 'stop' }),
    newEvent('step.completed', { ...at, finishReason: 'stop' }),
    newEvent('turn.completed', turnAt(sequence)),
    sessionWaiting(),
  );
  return checkpoint(context, {
    state: { ...state, nextTurn: sequence + 1, hold: { ...hold, unanswered: [], isAwayTold: false } },
    thread: { holder: hold.member, isWaiting: false },
    endTurns: [silentTurnEnd('completed', sequence)],
    consume,
    release: true,
  });
}
