import type { MessageBody, TurnInput } from '../../session/queue-item.ts';
import { newEvent } from '../../events/new-event.ts';
import type { NewEvent } from '../../store/event-store.ts';
import type { Hold } from '../../session/state/schema.ts';
import { type TurnContext, checkpoint, sessionWaiting, stepAt, turnAt } from '../context.ts';
import { joinMessages } from '../join-messages.ts';
import { lateResponses } from '../late-responses.ts';
import { type TurnTrigger, receivedEvents } from '../starting-turn.ts';
import { silentTurnEnd } from '../turn-end.ts';
import { turnStarted } from '../turn-started.ts';
import { teamAbsence, teamAway } from './team-away.ts';
import { teamAuthor } from './team-author.ts';

/** Messages that the agent reads itself when it is handed back to, and the characters of all of them. */
const maxUnanswered = 10;
const maxUnansweredLength = 65_536;

/** A message while a member answers: everybody reads it, and the agent is not asked. */
export async function receiveForTeam(
  context: TurnContext,
  hold: Hold,
  trigger: TurnTrigger,
  input: TurnInput,
): Promise<void> {
  const { state, appender, configuration, revision } = context;
  const sequence = state.nextTurn;
  const absence = hold.isAwayTold || !input.message ? null : await teamAbsence(context);
  const away = absence?.message ?? null;
  const said = joinMessages(await lateResponses(context, input.responses, input.message), input.message);
  appender.add(
    turnStarted(sequence, {
      itemId: trigger.id,
      author: 'visitor',
      configuration,
      revision,
      modelId: null,
      speaker: teamAuthor(hold.member),
    }),
    ...receivedEvents(sequence, said),
    ...(away === null ? teamAway(sequence, absence) : told(sequence, away)),
    newEvent('turn.completed', turnAt(sequence)),
    sessionWaiting(),
  );
  const unanswered = said ? lastOf([...hold.unanswered, said]) : hold.unanswered;
  return checkpoint(context, {
    state: {
      ...state,
      clientTools: input.clientTools ?? state.clientTools,
      nextTurn: sequence + 1,
      hold: { ...hold, unanswered, isAwayTold: hold.isAwayTold || away !== null },
    },
    thread: { holder: hold.member, isWaiting: unanswered.length > 0 },
    endTurns: [silentTurnEnd('completed', sequence)],
    consume: trigger.consume,
    release: true,
  });
}

/** Nobody writes this, so it has the agent's name. */
function told(sequence: number, message: string): NewEvent[] {
  const at = stepAt(sequence, 0);
  const author = { kind: 'agent' as const };
  return [
    newEvent('step.started', at),
    newEvent('message.appended', { ...at, author, messageDelta: message }),
    newEvent('message.completed', { ...at, author, message, finishReason: 'stop' }),
    newEvent('step.completed', { ...at, finishReason: 'stop' }),
  ];
}

function lastOf(messages: readonly MessageBody[]): readonly MessageBody[] {
  const last = messages.slice(-maxUnanswered);
  while (last.length > 1 && JSON.stringify(last).length > maxUnansweredLength) last.shift();
  return last;
}
