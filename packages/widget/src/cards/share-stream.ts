import type { IndexedEvent, Transcript } from '@parley/client/transcript';

/** What a tab has and can do; the same in each. */
export type SharingTab = {
  /** The first event that has not arrived here. */
  nextIndex(): number;
  /** Everything that has arrived here. */
  transcript(): Transcript;
  /** The whole conversation as another tab has it. */
  adopt(transcript: Transcript): void;
  deliver(event: IndexedEvent): void;
  connected(): boolean;
  connection(connected: boolean): void;
  /** Somebody else reads. */
  rest(): void;
  /** Goes on reading, or begins, until the session ends or the signal is aborted. What is read goes to `out`. */
  read(signal: AbortSignal, out: Pick<SharingTab, 'deliver' | 'connection'>): Promise<void>;
};

type Message =
  /** From a listener: how far it is. The tab that reads answers with `alive`. */
  | { kind: 'ask'; nextIndex: number }
  | { kind: 'event'; each: IndexedEvent }
  | { kind: 'alive'; connected: boolean; transcript?: Transcript };

const patience = 2_000;

/**
 * One tab, the holder of a lock, reads the stream; the others listen to it. A holder that closes loses the lock, one
 * that is frozen and answers nobody has it taken away. Where there are no locks every tab goes on reading for itself.
 */
export function shareStream(name: string, tab: SharingTab, signal: AbortSignal): void {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks || typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(name);
  const post = (message: Message) => {
    if (!signal.aborted) channel.postMessage(message);
  };
  let lease: AbortController;
  let holding = false;
  let listeners = false;
  let unanswered = false;
  let finished = false;

  const ask = () => {
    unanswered = true;
    post({ kind: 'ask', nextIndex: tab.nextIndex() });
  };

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ask') {
      if (!holding) return;
      listeners = true;
      const behind = tab.nextIndex() > data.nextIndex;
      post({ kind: 'alive', connected: tab.connected(), ...(behind && { transcript: tab.transcript() }) });
    } else if (!holding) {
      unanswered = false;
      tab.rest();
      if (data.kind === 'alive') {
        if (data.transcript) tab.adopt(data.transcript);
        tab.connection(data.connected);
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
      unanswered = false;
      listeners ||= steal;
      await tab.read(mine.signal, {
        deliver(each) {
          tab.deliver(each);
          if (listeners) post({ kind: 'event', each });
        },
        connection(connected) {
          tab.connection(connected);
          if (listeners) post({ kind: 'alive', connected });
        },
      });
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
        if (!signal.aborted && !finished) acquire(false);
      });
  };

  acquire(false);
  ask();
  const timer = setInterval(() => {
    if (holding || finished || document.hidden) return;
    if (!unanswered) return ask();
    lease.abort();
    acquire(true);
  }, patience);
  signal.addEventListener('abort', () => {
    lease.abort();
    clearInterval(timer);
    channel.close();
  });
}
