import type { IndexedEvent } from '@parley/client/follow';
import { reduceRest } from './reduce-rest.ts';
import { reduceTurns } from './reduce-turns.ts';
import { emptyTranscript, type Transcript } from './transcript.ts';

export { emptyTranscript, type Transcript };

/**
 * The transcript after one more event. Pure; what an event does not touch keeps its identity. An index that was
 * already applied changes nothing, an event of an unknown type moves `nextIndex` only.
 */
export function reduceTranscript(transcript: Transcript, { index, event }: IndexedEvent): Transcript {
  if (index < transcript.nextIndex) return transcript;
  return { ...reduceTurns(transcript, event, reduceRest), nextIndex: index + 1 };
}
