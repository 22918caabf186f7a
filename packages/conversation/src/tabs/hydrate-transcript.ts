import type { ConversationState } from '../conversation-state.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** How many of the last turns may answer what this tab has said. */
const lately = 10;

/** What another tab has read: what was said while this tab was not told is no longer on its way. */
export function hydrateTranscript(
  state: Pick<ConversationState, 'transcript' | 'outbox' | 'ownTurns'>,
  transcript: Transcript,
) {
  const outbox = state.outbox.value;
  // The same words may have been said before.
  const known = new Set(state.transcript.value.turns.map(({ user, id }) => user && id));
  const missed = transcript.turns.slice(-lately).filter(({ id }) => !known.has(id));
  const said = new Map(missed.map(({ user, id }) => [user?.text, id]));
  const heard = outbox.filter(
    ({ text, state: sent, after }) =>
      sent.kind !== 'failed' && after < transcript.nextIndex && said.has(text),
  );
  return {
    transcript,
    outbox: outbox.filter((each) => !heard.includes(each)),
    ownTurns: new Set([...state.ownTurns.value, ...heard.map(({ text }) => said.get(text)!)]),
  };
}
