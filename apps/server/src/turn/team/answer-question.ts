import { isOpen, isTeamQuestion } from '../../session/input-requests.ts';
import { emptyInput } from '../../session/message-input.ts';
import type { TeamMember } from '../../session/queue-item.ts';
import { waitingStep } from '../../session/state/phase.ts';
import type { QueueItem } from '../../store/queue-store.ts';
import { type TurnContext, checkpoint } from '../context.ts';
import { startTurn } from '../start-turn.ts';

/** What a member answers to a question of the agent. Nothing happens where it is answered, expired or withdrawn. */
export function answerQuestion(
  context: TurnContext,
  item: QueueItem,
  member: TeamMember,
  response: { readonly requestId: string; readonly text: string },
): Promise<void> {
  const { state, session } = context;
  const { acceptedAt: at, acceptedIndex, position } = item;
  const pending = waitingStep(state)?.requests.find(
    ({ request }) => request.requestId === response.requestId,
  );
  if (state.hold || !pending || !isTeamQuestion(pending) || !isOpen(pending, at))
    return checkpoint(context, { state, consume: [position], release: true });
  return startTurn(
    context,
    { id: item.id, at, acceptedIndex, consume: [position], by: 'team', member },
    { ...emptyInput, kind: 'delivery', message: null, responses: [response], visitor: session.visitor },
  );
}
