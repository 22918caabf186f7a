import type { Clock } from '@parley/client/clock';
import type { ConversationState } from '../conversation-state.ts';
import type { Environment } from '../environment.ts';
import type { Reading, SessionReading } from '../transcript/read-session.ts';
import { electLeader } from './elect-leader.ts';
import { hydrateTranscript } from './hydrate-transcript.ts';

/** Has one tab read the session for all that know it by this name: this one, or another, which it listens to then. */
export function shareSession(
  name: string,
  session: SessionReading,
  state: ConversationState,
  signal: AbortSignal,
  clock: Clock,
  environment: Environment,
): void {
  const { reader, incoming } = session;
  let reading: Reading | null = session.reading;
  const transcript = () => {
    incoming.flush();
    return reader.transcript();
  };
  const tab = {
    nextIndex: () => session.nextIndex,
    transcript,
    hydrate(read: ReturnType<typeof transcript>) {
      if (read.nextIndex <= session.nextIndex) return;
      incoming.drop();
      session.nextIndex = read.nextIndex;
      const { outbox, ...known } = hydrateTranscript(state, read);
      reader.show(outbox, known);
      reader.applyEvents([]);
    },
    deliver: session.deliver,
    connected: () => state.connectionStatus.value === 'live',
    connection: reader.connection,
    stopReading() {
      reading?.stop.abort();
      reading = null;
    },
    read(wanted: AbortSignal, out: Reading['out']) {
      if (transcript().status === 'ended') return Promise.resolve();
      if (reading) reading.out = out;
      else reading = session.read(out);
      const { stop, done } = reading;
      wanted.addEventListener('abort', () => {
        stop.abort();
        if (reading?.stop === stop) reading = null;
      });
      return done;
    },
  };
  electLeader(name, tab, signal, clock, environment);
}
