import { randomUUID } from 'node:crypto';
import type { Bus, TurnReading } from '../../bus/bus.ts';
import { Recheck } from '../../bus/recheck.ts';
import { within } from '../../session/within.ts';
import { RemoteReaders } from './remote-readers.ts';

/** A third of the time after which the others forget what they were told. */
const sayAgainMs = 5_000;
/** How long the repeat of a message waits for its cancelled turn to end. */
const cancelWaitMs = 8_000;

interface Reading {
  readonly itemId: string;
  readers: number;
  /** The conversation went on while somebody still read. */
  superseded: boolean;
  timer: NodeJS.Timeout | null;
}

/** One reader's side of a turn, told by the reader what happens to it. */
interface Readership {
  /** The reader is gone before the turn was over; a patient one may come back for a while. */
  left(patient: boolean): void;
  finished(): void;
}

interface ChatTurnsOptions {
  readonly bus: Bus;
  /** Cancels a turn that nobody reads in `process`, which is this one, or sees to it that it is cancelled when it begins; unless somebody reads it in another. Resolves when it is known what became of that. */
  readonly abandon: (sessionId: string, itemId: string, process: string) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  readonly graceMs: number;
}

/**
 * Who reads Chat turns, in this process and the others, wherever the turns run. A turn whose last reader left is
 * cancelled: at once, or after the grace when the reader may come back, or when its conversation goes on without it.
 */
export class ChatTurns {
  readonly #options: ChatTurnsOptions;
  readonly #process = randomUUID();
  readonly #sessions = new Map<string, Reading[]>();
  readonly #remote = new RemoteReaders(3 * sayAgainMs);
  readonly #sayAgain: Recheck;
  /** By item: what this process has asked to be cancelled, until that is done. */
  readonly #cancelling = new Map<string, Promise<void>>();
  #whenUnread: (() => void)[] = [];

  constructor(options: ChatTurnsOptions) {
    const { bus, onError } = options;
    this.#options = options;
    bus.subscribe('turnReading', (reading) => {
      if (reading.process !== this.#process) this.#hear(reading);
    });
    this.#sayAgain = new Recheck({
      bus,
      roundMs: sayAgainMs,
      ids: () => this.#sessions.keys(),
      check: async (sessionIds) => {
        for (const sessionId of sessionIds)
          for (const { itemId, readers } of this.#sessions.get(sessionId) ?? [])
            if (readers > 0) this.#say(sessionId, itemId, 'read');
      },
      onError,
    });
  }

  close(): void {
    this.#sayAgain.stop();
  }

  /** A reader begins to wait for, or to read, the turn of a queued item. */
  read(sessionId: string, itemId: string): Readership {
    const turn = this.#reading(sessionId, itemId);
    turn.readers += 1;
    if (turn.readers === 1) this.#say(sessionId, itemId, 'read');
    stopTimer(turn);
    return {
      left: (patient) => {
        turn.readers -= 1;
        this.#noteUnread();
        if (turn.readers > 0) return;
        this.#say(sessionId, itemId, 'left');
        if (turn.superseded || !patient) this.#abandon(sessionId, turn);
        else turn.timer = setTimeout(() => this.#abandon(sessionId, turn), this.#options.graceMs).unref();
      },
      finished: () => this.#forget(sessionId, turn),
    };
  }

  /**
   * The conversation goes on: its turns are cancelled now, or as soon as nobody reads them any more. (The next
   * message of a reader that leaves can arrive before the news that it left.) `running` is the item of the turn that
   * runs: without a reader here it was begun in another process, or before a restart.
   */
  supersede(sessionId: string, running: string | null): void {
    const turns = this.#sessions.get(sessionId) ?? [];
    if (running !== null) {
      this.#say(sessionId, running, 'superseded');
      if (!turns.some(({ itemId }) => itemId === running)) this.#cancel(sessionId, running);
    }
    for (const turn of turns) this.#supersede(sessionId, turn);
  }

  /** Whether somebody reads the turn, in any process but this one. */
  isRead(sessionId: string, itemId: string, butIn: string): boolean {
    const turn = this.#find(sessionId, itemId);
    return (turn !== undefined && turn.readers > 0) || this.#remote.isRead(itemId, butIn);
  }

  #hear({ sessionId, itemId, process, state }: TurnReading): void {
    if (state === 'read') return this.#remote.add(itemId, process);
    if (state === 'left') return this.#remote.remove(itemId, process);
    const turn = this.#find(sessionId, itemId);
    if (turn) this.#supersede(sessionId, turn);
  }

  #say(sessionId: string, itemId: string, state: TurnReading['state']): void {
    this.#options.bus.publish({ topic: 'turnReading', sessionId, itemId, process: this.#process, state });
  }

  #supersede(sessionId: string, turn: Reading): void {
    turn.superseded = true;
    if (turn.readers === 0) this.#abandon(sessionId, turn);
  }

  #find(sessionId: string, itemId: string): Reading | undefined {
    return this.#sessions.get(sessionId)?.find((known) => known.itemId === itemId);
  }

  /** Resolves once nobody here reads a turn. */
  unread(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenUnread.push(resolve);
      this.#noteUnread();
    });
  }

  #noteUnread(): void {
    if (this.#whenUnread.length === 0) return;
    for (const turns of this.#sessions.values()) if (turns.some(({ readers }) => readers > 0)) return;
    for (const resolve of this.#whenUnread) resolve();
    this.#whenUnread = [];
  }

  #reading(sessionId: string, itemId: string): Reading {
    const turns = this.#sessions.get(sessionId) ?? [];
    const known = turns.find((turn) => turn.itemId === itemId);
    if (known) return known;
    const turn = { itemId, readers: 0, superseded: false, timer: null };
    this.#sessions.set(sessionId, [...turns, turn]);
    return turn;
  }

  #abandon(sessionId: string, turn: Reading): void {
    this.#forget(sessionId, turn);
    this.#cancel(sessionId, turn.itemId);
  }

  #cancel(sessionId: string, itemId: string): void {
    const cancelling = this.#options
      .abandon(sessionId, itemId, this.#process)
      .catch(this.#options.onError)
      .then(() => {
        if (this.#cancelling.get(itemId) === cancelling) this.#cancelling.delete(itemId);
      });
    this.#cancelling.set(itemId, cancelling);
  }

  /** Waits for the end of a turn that this process has asked to be cancelled, 8 s at most; returns at once for any other. */
  async cancelled(itemId: string): Promise<void> {
    const cancelling = this.#cancelling.get(itemId);
    if (cancelling) await within(cancelWaitMs, cancelling);
  }

  #forget(sessionId: string, turn: Reading): void {
    stopTimer(turn);
    const known = this.#sessions.get(sessionId) ?? [];
    if (!known.includes(turn)) return;
    if (turn.readers > 0) this.#say(sessionId, turn.itemId, 'left');
    const others = known.filter((other) => other !== turn);
    if (others.length > 0) this.#sessions.set(sessionId, others);
    else this.#sessions.delete(sessionId);
    this.#noteUnread();
  }
}

function stopTimer(turn: Reading): void {
  if (turn.timer) clearTimeout(turn.timer);
  turn.timer = null;
}
