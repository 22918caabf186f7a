import type { SessionEvent } from '@parley/protocol/event';
import type { Transcript } from './transcript.ts';
import type { TurnPart } from './turn.ts';

/**
 * What `reduceTranscript` leaves out: sign-ins the agent waits for. Give it the transcript that an event has just
 * changed, and that event.
 */
export function withSignIn(transcript: Transcript, event: SessionEvent): Transcript {
  if (event.type === 'authorization.required') {
    const { turnId, stepIndex, name, description, authorization = {} } = event.data;
    const part = { kind: 'sign-in', stepIndex, name, description, authorization } as const;
    const turns = transcript.turns.map((turn) =>
      turn.id === turnId ? { ...turn, parts: [...turn.parts, part] } : turn,
    );
    return { ...transcript, turns };
  }
  if (event.type !== 'authorization.completed') return transcript;
  const { name, outcome } = event.data;
  const settled = (part: TurnPart): TurnPart =>
    part.kind === 'sign-in' && part.name === name && !part.outcome ? { ...part, outcome } : part;
  const turns = transcript.turns.map((turn) =>
    turn.parts.some((part) => settled(part) !== part) ? { ...turn, parts: turn.parts.map(settled) } : turn,
  );
  return { ...transcript, turns };
}
