const graceMs = 10_000;

interface Reading {
  readonly itemId: string;
  readers: number;
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
    const turn = known?.itemId === itemId ? known : { itemId, readers: 0, timer: null };
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
        turn.timer = setTimeout(() => {
          forget();
          this.#cancel(sessionId, itemId);
        }, graceMs).unref();
      },
    };
  }

  /** The conversation goes on: a turn that nobody reads any more is cancelled now. */
  supersede(sessionId: string): void {
    const turn = this.#turns.get(sessionId);
    if (!turn || turn.readers > 0) return;
    if (turn.timer) clearTimeout(turn.timer);
    this.#turns.delete(sessionId);
    this.#cancel(sessionId, turn.itemId);
  }
}
