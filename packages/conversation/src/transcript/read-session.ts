import type { Connection } from '@parley/client/connection';
import type { ParleyError } from '@parley/client/error';
import { followSession, type IndexedEvent } from '@parley/client/follow';
import type { OpenStream } from '@parley/client/open-stream';
import type { Transcript } from './transcript.ts';
import type { Clock } from '@parley/client/clock';
import type { Environment } from '../environment.ts';
import { asParleyError } from '../reconnection.ts';
import type { electLeader, ReadingTab } from '../tabs/elect-leader.ts';
import { createFrameBatch } from './frame-batch.ts';

/** Who is told what is read, and how it stands. */
type Reader = {
  transcript: () => Transcript;
  connected: () => boolean;
  /** Once a frame at most. */
  applyEvents: (events: IndexedEvent[]) => void;
  /** Another tab has read further: this is all of it. */
  hydrate: (transcript: Transcript) => void;
  connection: (connected: boolean) => void;
  /** Nothing more is to be read. */
  end: (failure: ParleyError | null) => void;
};

type Out = Pick<ReadingTab, 'deliver' | 'connection'>;
type Reading = { out: Out; stop: AbortController; done: Promise<void> };

/** Reads a session's stream until the signal is aborted: alone, or, once it can be shared, for all tabs or not at all. */
export function readSession(
  connection: Connection,
  { sessionId, stream }: { sessionId: string; stream: OpenStream | null },
  reader: Reader,
  signal: AbortSignal,
  clock: Clock,
  environment: Environment,
) {
  let nextIndex = 0;
  let unread = stream;
  const incoming = createFrameBatch(reader.applyEvents, clock, environment);
  signal.addEventListener('abort', () => incoming.drop());
  const tab = {
    nextIndex: () => nextIndex,
    transcript() {
      incoming.flush();
      return reader.transcript();
    },
    hydrate(transcript: Transcript) {
      if (transcript.nextIndex <= nextIndex) return;
      incoming.drop();
      nextIndex = transcript.nextIndex;
      reader.hydrate(transcript);
    },
    deliver(each: IndexedEvent) {
      if (each.index < nextIndex) return;
      nextIndex = each.index + 1;
      incoming.add(each);
    },
    connected: reader.connected,
    connection: reader.connection,
  };

  let reading: Reading | null = null;
  const begin = async (mine: Omit<Reading, 'done'>) => {
    const { signal: stopped } = mine.stop;
    let failure: ParleyError | null = null;
    try {
      const events = followSession(connection, sessionId, {
        startIndex: nextIndex,
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
  const sharing: ReadingTab = {
    ...tab,
    stopReading() {
      reading?.stop.abort();
      reading = null;
    },
    read(wanted, out) {
      if (tab.transcript().status === 'ended') return Promise.resolve();
      if (reading) reading.out = out;
      else {
        const mine = { out, stop: new AbortController() };
        reading = Object.assign(mine, { done: begin(mine) });
      }
      const { stop, done } = reading;
      wanted.addEventListener('abort', () => {
        stop.abort();
        if (reading?.stop === stop) reading = null;
      });
      return done;
    },
  };
  void sharing.read(signal, tab);
  return {
    /** Shows what has arrived without waiting for the next frame. */
    flush: incoming.flush,
    share: (name: string, withOthers: typeof electLeader) =>
      withOthers(name, sharing, signal, clock, environment),
  };
}
