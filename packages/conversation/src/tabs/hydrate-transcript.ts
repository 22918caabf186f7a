import type { OutboxMessage } from '../outbox/outbox-message.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** How many of the last turns may answer what this tab has said. */
const lately = 10;

type Known = {
  transcript: Transcript;
  outbox: readonly OutboxMessage[];
  ownTurns: ReadonlySet<string>;
};

/** What another tab has read: what was said while this tab was not told is no longer on its way. */
export function hydrateTranscript(
  { transcript: before, outbox, ownTurns }: Known,
  transcript: Transcript,
): Known {
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
