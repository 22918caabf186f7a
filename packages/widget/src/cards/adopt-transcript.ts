import type { Transcript } from '@parley/conversation/transcript/transcript';
import type { ChatState } from '../chat/chat-state.ts';

/** How many of the last turns may answer what this tab has said. */
const lately = 10;

/** What another tab has read: what was said while this tab was not told is no longer on its way. */
export function adoptTranscript(
  { transcript: before, outbox, ownTurns }: ChatState,
  transcript: Transcript,
): Pick<ChatState, 'transcript' | 'outbox' | 'ownTurns'> {
  // The same words may have been said before.
  const known = new Set(before.turns.map(({ user, id }) => user && id));
  const missed = transcript.turns.slice(-lately).filter(({ id }) => !known.has(id));
  const said = new Map(missed.map(({ user, id }) => [user?.text, id]));
  const heard = outbox.filter(
    ({ text, state, after }) => state.kind !== 'failed' && after < transcript.nextIndex && said.has(text),
  );
  return {
    transcript,
    outbox: outbox.filter((each) => !heard.includes(each)),
    ownTurns: new Set([...ownTurns, ...heard.map(({ text }) => said.get(text)!)]),
  };
}
