import type { Clock } from '@parley/client/clock';
import type { Connection } from '@parley/client/connection';
import type { ParleyError } from '@parley/client/error';
import { followSession, type IndexedEvent } from '@parley/client/follow';
import type { OpenStream } from '@parley/client/open-stream';
import type { ConversationValues } from '../conversation-state.ts';
import type { Environment } from '../environment.ts';
import { asParleyError } from '../reconnection.ts';
import type { ReadingTab } from '../tabs/elect-leader.ts';
import { createFrameBatch } from './frame-batch.ts';
import type { Transcript } from './transcript.ts';

/** Who is told what is read, and how it stands. */
type Reader = {
  transcript: () => Transcript;
  /** Once a frame at most. */
  applyEvents: (events: IndexedEvent[]) => void;
  show: (outbox: ConversationValues['outbox'], changed: Partial<ConversationValues>) => void;
  connection: (connected: boolean) => void;
  /** Nothing more is to be read. */
  end: (failure: ParleyError | null) => void;
};

/** One stream that is read, and where what comes of it goes. */
export type Reading = {
  out: Pick<ReadingTab, 'deliver' | 'connection'>;
  stop: AbortController;
  done: Promise<void>;
};

export type SessionReading = ReturnType<typeof readSession>;

/** Reads a session's stream until the signal is aborted, in this tab; `shareSession` has one tab read for all. */
export function readSession(
  connection: Connection,
  { sessionId, stream }: { sessionId: string; stream: OpenStream | null },
  reader: Reader,
  signal: AbortSignal,
  clock: Clock,
  environment: Environment,
) {
  let unread = stream;
  const incoming = createFrameBatch(reader.applyEvents, clock, environment);

  const follow = async (mine: Pick<Reading, 'out' | 'stop'>) => {
    const { signal: stopped } = mine.stop;
    let failure: ParleyError | null = null;
    try {
      const events = followSession(connection, sessionId, {
        startIndex: session.nextIndex,
        stream: unread,
        signal: stopped,
        onConnection: (connected) => {
          if (!stopped.aborted) mine.out.connection(connected);
        },
      });
      unread = null;
      for await (const each of events) mine.out.deliver(each);
    } catch (error) {
      failure = asParleyError(error);
    }
    if (!stopped.aborted) reader.end(failure);
  };
  /** Goes on reading where it has come to. */
  const read = (out: Reading['out']): Reading => {
    const mine = { out, stop: new AbortController() };
    return Object.assign(mine, { done: follow(mine) });
  };
  const session = {
    /** The first event that has not arrived here. */
    nextIndex: 0,
    deliver: (each: IndexedEvent) => {
      if (each.index < session.nextIndex) return;
      session.nextIndex = each.index + 1;
      incoming.add(each);
    },
  };
  const reading = read({ deliver: session.deliver, connection: reader.connection });
  signal.addEventListener('abort', () => {
    reading.stop.abort();
    incoming.drop();
  });
  return Object.assign(session, { reading, read, reader, incoming });
}
