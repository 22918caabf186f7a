import type { IndexedEvent } from '@parley/client/follow';
import type { Clock } from '@parley/client/clock';
import type { Environment } from '../environment.ts';
import { openChannel } from './open-channel.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** What a tab has and can do; the same in each. */
export type ReadingTab = {
  /** The first event that has not arrived here. */
  nextIndex(): number;
  /** Everything that has arrived here. */
  transcript(): Transcript;
  /** The whole conversation as another tab has it. */
  hydrate(transcript: Transcript): void;
  deliver(event: IndexedEvent): void;
  connected(): boolean;
  connection(connected: boolean): void;
  /** Somebody else reads. */
  stopReading(): void;
  /** Goes on reading, or begins, until the session ends or the signal is aborted. What is read goes to `out`. */
  read(signal: AbortSignal, out: Pick<ReadingTab, 'deliver' | 'connection'>): Promise<void>;
};

type Message =
  /** From a listener: how far it is. The tab that reads answers with `alive`. */
  | { kind: 'ask'; nextIndex: number }
  | { kind: 'event'; each: IndexedEvent }
  | { kind: 'alive'; connected: boolean; transcript?: Transcript };

const answerTimeout = 2_000;

/**
 * One tab, the holder of a lock, reads the stream; the others listen to it. A holder that closes loses the lock, one
 * that is frozen and answers nobody has it taken away, and one that cannot read loses it to one that can. Where there
 * are no locks every tab goes on reading for itself.
 */
export function electLeader(
  name: string,
  tab: ReadingTab,
  signal: AbortSignal,
  clock: Clock,
  environment: Environment,
): void {
  const { locks, isHidden } = environment;
  const channel = locks && openChannel(environment, name);
  if (!channel) return;
  const post = (message: Message) => {
    if (!signal.aborted) channel.postMessage(message);
  };
  let lease: AbortController;
  let holding = false;
  let listeners = false;
  let finished = false;
  /** Whether this tab's own stream is open; null while it has none. */
  let open: boolean | null = tab.connected();
  /** Whether the holder can read; null until it has answered. */
  let canRead: boolean | null;

  const out = {
    deliver(each: IndexedEvent) {
      tab.deliver(each);
      if (holding && listeners) post({ kind: 'event', each });
    },
    connection(connected: boolean) {
      open = connected;
      tab.connection(connected);
      if (holding && listeners) post({ kind: 'alive', connected });
    },
  };

  const ask = () => {
    canRead = null;
    post({ kind: 'ask', nextIndex: tab.nextIndex() });
  };

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ask') {
      if (!holding) return;
      listeners = true;
      const behind = tab.nextIndex() > data.nextIndex;
      post({ kind: 'alive', connected: open === true, ...(behind && { transcript: tab.transcript() }) });
    } else if (!holding) {
      canRead = data.kind === 'event' || data.connected;
      if (canRead) {
        open = null;
        tab.stopReading();
      }
      if (data.kind === 'alive') {
        if (data.transcript) tab.hydrate(data.transcript);
        if (!open) tab.connection(data.connected);
      } else if (data.each.index > tab.nextIndex()) ask();
      else tab.deliver(data.each);
    }
  };

  const acquire = (steal: boolean) => {
    const mine = (lease = new AbortController());
    const hold = async () => {
      if (mine.signal.aborted) return;
      holding = true;
      // Who reads waits for nobody's answer: left standing, it would have this tab take the stream back unasked.
      canRead = true;
      listeners ||= steal;
      if (open) out.connection(true);
      await tab.read(mine.signal, out);
      finished ||= !mine.signal.aborted;
    };
    locks
      .request(name, steal ? { steal } : { signal: mine.signal }, hold)
      .catch((error: unknown) => {
        // Taken away, or no longer wanted. Otherwise locks are not allowed here.
        if (!(error instanceof DOMException && error.name === 'AbortError')) return hold();
      })
      .finally(() => {
        mine.abort();
        if (mine !== lease) return;
        holding = false;
        open = null;
        if (!signal.aborted && !finished) acquire(false);
      });
  };

  void tab.read(signal, out);
  acquire(false);
  ask();
  const cancelWatch = clock.every(answerTimeout, () => {
    if (holding || finished || isHidden?.()) return;
    if (canRead) return ask();
    // From a holder that answers only a tab that reads takes the stream: two that cannot do not take it from each other.
    if (canRead === false && !open) {
      if (open === null) void tab.read(signal, out);
      open = false;
      return ask();
    }
    lease.abort();
    acquire(true);
  });
  signal.addEventListener('abort', () => {
    lease.abort();
    cancelWatch();
    channel.close();
  });
}
