import type { ConversationState } from '../conversation-state.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** What another tab has read: what was said while this tab was not told is no longer on its way. */
export function hydrateTranscript(
  state: Pick<ConversationState, 'transcript' | 'outbox' | 'ownTurns'>,
  transcript: Transcript,
) {
  const outbox = state.outbox.value;
  const said = new Map(transcript.turns.map(({ user, id }) => [user?.id, id]));
  const heard = outbox.filter(({ id }) => said.has(id));
  return {
    transcript,
    outbox: outbox.filter((each) => !heard.includes(each)),
    ownTurns: new Set([...state.ownTurns.value, ...heard.map(({ id }) => said.get(id)!)]),
  };
}
