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
  /** Cancels the turn, or sees to it that it is cancelled when it begins. */
  readonly cancel: (sessionId: string, itemId: string) => Promise<unknown>;
  /** The same for a turn that nobody reads here, unless somebody reads it in the process that runs it. */
  readonly supersede: (sessionId: string, itemId: string) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  readonly graceMs: number;
}

/**
 * Who reads the Chat turns of this process. A turn whose last reader left is cancelled: at once, or after the grace
 * when the reader may come back, or when its conversation goes on without it.
 */
export class ChatTurns {
  readonly #options: ChatTurnsOptions;
  readonly #sessions = new Map<string, Reading[]>();
  #whenUnread: (() => void)[] = [];

  constructor(options: ChatTurnsOptions) {
    this.#options = options;
  }

  /** A reader begins to wait for, or to read, the turn of a queued item. */
  read(sessionId: string, itemId: string): Readership {
    const turn = this.#reading(sessionId, itemId);
    turn.readers += 1;
    stopTimer(turn);
    return {
      left: (patient) => {
        turn.readers -= 1;
        this.#noteUnread();
        if (turn.readers > 0) return;
        if (turn.superseded || !patient) this.#abandon(sessionId, turn);
        else turn.timer = setTimeout(() => this.#abandon(sessionId, turn), this.#options.graceMs).unref();
      },
      finished: () => this.#forget(sessionId, turn),
    };
  }

  /**
   * The conversation goes on: its turns are cancelled now, or as soon as nobody reads them any more. (The next
   * message of a reader that leaves can arrive before the news that it left.) `running` is the item of the turn that
   * runs: without a reader here it runs in another process, or was begun before a restart.
   */
  supersede(sessionId: string, running: string | null): void {
    const turns = this.#sessions.get(sessionId) ?? [];
    if (running !== null && !turns.some(({ itemId }) => itemId === running))
      this.#options.supersede(sessionId, running).catch(this.#options.onError);
    for (const turn of turns) {
      turn.superseded = true;
      if (turn.readers === 0) this.#abandon(sessionId, turn);
    }
  }

  /** Whether somebody here reads the turn; it is cancelled once they have left. */
  isRead(sessionId: string, itemId: string): boolean {
    const turn = this.#sessions.get(sessionId)?.find((known) => known.itemId === itemId);
    if (turn === undefined || turn.readers === 0) return false;
    turn.superseded = true;
    return true;
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
    this.#options.cancel(sessionId, turn.itemId).catch(this.#options.onError);
  }

  #forget(sessionId: string, turn: Reading): void {
    stopTimer(turn);
    const others = (this.#sessions.get(sessionId) ?? []).filter((other) => other !== turn);
    if (others.length > 0) this.#sessions.set(sessionId, others);
    else this.#sessions.delete(sessionId);
    this.#noteUnread();
  }
}

function stopTimer(turn: Reading): void {
  if (turn.timer) clearTimeout(turn.timer);
  turn.timer = null;
}
