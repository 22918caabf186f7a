import { isDeepStrictEqual } from 'node:util';
import { maxContextLength } from '@parley/protocol/bounds';
import { newEvent } from '../events/new-event.ts';
import type { WaitingStep } from '../session/state/phase.ts';
import { asksVisitor } from '../session/input-requests.ts';
import { inputAnswered, inputApproved, inputExpired } from './approvals.ts';
import { clientToolResultEvents } from './client-tool-results.ts';
import { checkpoint, sessionWaiting, turnAt } from './context.ts';
import { silentTurnEnd } from './turn-end.ts';
import { type StartingTurn, turnStartEvents, receivedEvents, shownMessage } from './starting-turn.ts';
import { waitingThread } from './waiting-thread.ts';

/** Messages that wait for an open approval, and the characters of all of them as the session's state keeps them. */
const maxHeld = 10;
const maxHeldLength = 262_144;

const answerFirst = 'Please answer what was asked above first; your message was not passed on.';
const teamFirst = 'The team is being asked. Your message was not passed on: send it again afterwards.';

/** Something is still open: what came is kept, up to a bound, and nothing runs. */
export function holdInput(
  { context, trigger, input, state, replaced, resolution, clientResults, spoken }: StartingTurn,
  waiting: WaitingStep,
): Promise<void> {
  const sequence = state.nextTurn;
  const more = spoken
    ? [...waiting.held, { body: spoken, context: input.context, received: true }]
    : waiting.held;
  const full = more.length > maxHeld || JSON.stringify(more).length > maxHeldLength;
  const held = full ? waiting.held : more;
  const thread = waitingThread(resolution.requests);
  const isTeams = thread.isWaiting;
  const isTheirs = resolution.requests.some(asksVisitor) || !isTeams;
  const message = isTheirs ? answerFirst : teamFirst;
  context.appender.add(
    ...resolution.expired.map((request) => inputExpired(waiting, request)),
    ...turnStartEvents(context, sequence, trigger),
    ...receivedEvents(sequence, shownMessage(input, spoken)),
    ...resolution.answered.map((answer) => inputAnswered(sequence, answer, trigger)),
    ...resolution.counted.map((pending) => inputApproved(sequence, pending, trigger)),
    ...clientToolResultEvents(sequence, clientResults),
    full
      ? newEvent('turn.failed', { ...turnAt(sequence), code: 'INPUT_PENDING', message })
      : newEvent('turn.completed', turnAt(sequence)),
    sessionWaiting(),
  );
  const told = spoken ? waiting.context : newestContext([...waiting.context, ...input.context]);
  return checkpoint(context, {
    state: {
      ...state,
      nextTurn: sequence + 1,
      phase: {
        type: 'waiting',
        step: {
          ...waiting,
          calls: clientResults.calls,
          requests: resolution.requests,
          held,
          context: told,
          unattended: false,
        },
      },
    },
    ...(!isDeepStrictEqual(thread, waitingThread(waiting.requests)) && { thread }),
    endTurns: [silentTurnEnd(full ? 'failed' : 'completed', sequence)],
    ...replaced,
    consume: trigger.consume,
    ...(trigger.audit && { audit: trigger.audit }),
    release: true,
  });
}

/** The last entries that have room in what one request may carry. */
function newestContext(entries: readonly string[]): readonly string[] {
  let left = maxContextLength;
  const first = entries.findLastIndex((entry) => (left -= entry.length) < 0);
  return entries.slice(first + 1);
}
