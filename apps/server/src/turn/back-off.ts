const shortestMs = 500;

/** Pauses between attempts that fail in a row: each is twice as long as the one before, up to a bound. */
export class BackOff {
  readonly #longestMs: number;
  #pauses = 0;
  #ended = false;
  #wake: () => void = () => {};

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  pause(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    const ms = Math.min(shortestMs * 2 ** this.#pauses, this.#longestMs);
    this.#pauses += 1;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The next pause is the shortest again. */
  reset(): void {
    this.#pauses = 0;
  }

  /** Nobody pauses any more. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }
}
