const slots = 20;
const slotMs = 250;
const half = slots / 2;

/** Beats for every member once in 5 s, for a few at a time: ten thousand at once would hold up everybody else. */
export class Heartbeat {
  readonly #members: Set<() => void>[] = Array.from({ length: slots }, () => new Set());
  readonly #timer: NodeJS.Timeout;
  #slot = 0;
  /** Those that join at once, as after a restart, are spread as well. */
  #joined = 0;

  constructor() {
    this.#timer = setInterval(() => {
      this.#slot = (this.#slot + 1) % slots;
      for (const beat of this.#members[this.#slot] ?? []) beat();
    }, slotMs).unref();
  }

  /** The first beat comes 2.5 to 5 s from now: what is over by then needs none. Returns the function that stops it. */
  join(beat: () => void): () => void {
    this.#joined = (this.#joined + 1) % half;
    const members = this.#members[(this.#slot + slots - this.#joined) % slots]!;
    members.add(beat);
    return () => members.delete(beat);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
