import type { QueueItemBody, TeamAction } from '../../session/queue-item.ts';
import type { Turn } from '../../session/state/phase.ts';
import type { QueueItem } from '../../store/queue-store.ts';
import { type TurnContext, checkpoint } from '../context.ts';
import { teamNote } from './team-note.ts';

type Whisper = Extract<TeamAction, { kind: 'whisper' }>;

/** A line of the team that the agent reads from its next turn on, and nobody else is shown. */
export function whisper(context: TurnContext, item: QueueItem, said: Whisper): Promise<void> {
  const { state } = context;
  return checkpoint(context, {
    state,
    history: [teamNote(state, lineOf(said))],
    consume: [item.position],
    release: true,
  });
}

/** Those that have come since the turn began: the model reads them with its next step. */
export async function takeWhispers(context: TurnContext, { sequence: turn }: Turn): Promise<void> {
  const { store, session, state } = context;
  const waiting = await store.listQueue(session.id, 'whisper' satisfies QueueItemBody['kind']);
  const whispers = waiting.map(({ body, position }) => ({ position, content: lineOf(body as Whisper) }));
  if (whispers.length === 0) return;
  await checkpoint(context, {
    state,
    history: whispers.map(({ content }) => ({ turn, message: { role: 'team', content } })),
    consume: whispers.map(({ position }) => position),
  });
}

const lineOf = ({ member, text }: Whisper): string => `From ${member.name}: ${text}`;
