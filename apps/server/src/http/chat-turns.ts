const graceMs = 10_000;

interface Reading {
  readonly itemId: string;
  readers: number;
  /** The conversation went on while somebody still read. */
  superseded: boolean;
  timer: NodeJS.Timeout | null;
}

/**
 * Who reads the streamed Chat turns of this process. A turn whose last reader left runs on for 10 s, in case the
 * reader comes back; then, or when its conversation goes on without it, it is cancelled.
 */
export class ChatTurns {
  readonly #cancel: (sessionId: string, itemId: string) => void;
  readonly #turns = new Map<string, Reading>();

  constructor(cancel: (sessionId: string, itemId: string) => void) {
    this.#cancel = cancel;
  }

  /** A reader begins; the returned function says that it left before the turn was over. */
  read(sessionId: string, itemId: string): { left(): void; finished(): void } {
    const known = this.#turns.get(sessionId);
    const turn = known?.itemId === itemId ? known : { itemId, readers: 0, superseded: false, timer: null };
    this.#turns.set(sessionId, turn);
    turn.readers += 1;
    if (turn.timer) clearTimeout(turn.timer);
    turn.timer = null;
    const forget = () => {
      if (turn.timer) clearTimeout(turn.timer);
      if (this.#turns.get(sessionId) === turn) this.#turns.delete(sessionId);
    };
    return {
      finished: forget,
      left: () => {
        turn.readers -= 1;
        if (turn.readers > 0) return;
        const end = () => {
          forget();
          this.#cancel(sessionId, itemId);
        };
        if (turn.superseded) end();
        else turn.timer = setTimeout(end, graceMs).unref();
      },
    };
  }

  /**
   * The conversation goes on: its streamed turn is cancelled now, or as soon as nobody reads it any more. (The
   * next message of a reader that leaves can arrive before the news that it left.)
   */
  supersede(sessionId: string): void {
    const turn = this.#turns.get(sessionId);
    if (!turn) return;
    turn.superseded = true;
    if (turn.readers > 0) return;
    if (turn.timer) clearTimeout(turn.timer);
    this.#turns.delete(sessionId);
    this.#cancel(sessionId, turn.itemId);
  }
}
