const slots = 5;

/** Beats for every member once in 5 s, a fifth of them each second. */
export class Heartbeat {
  readonly #members: Set<() => void>[] = Array.from({ length: slots }, () => new Set());
  readonly #timer: NodeJS.Timeout;
  #slot = 0;

  constructor() {
    this.#timer = setInterval(() => {
      this.#slot = (this.#slot + 1) % slots;
      for (const beat of this.#members[this.#slot] ?? []) beat();
    }, 1_000).unref();
  }

  /** The first beat comes 4 to 5 s from now. Returns the function that stops it. */
  join(beat: () => void): () => void {
    const members = this.#members[this.#slot]!;
    members.add(beat);
    return () => members.delete(beat);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
