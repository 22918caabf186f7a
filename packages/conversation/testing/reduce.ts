import type { SessionEvent } from '@parley/protocol/event';
import { reduceTranscript } from '../src/transcript/reduce-transcript.ts';
import { emptyTranscript, type Transcript } from '../src/transcript/transcript.ts';

export const reduce = (events: readonly SessionEvent[], from: Transcript = emptyTranscript): Transcript =>
  events.reduce(
    (transcript, each, offset) =>
      reduceTranscript(transcript, { index: from.nextIndex + offset, event: each }),
    from,
  );
