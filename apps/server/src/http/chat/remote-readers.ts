/**
 * Which Chat turns are read in other processes, as those have said. Whoever does not say it again in time is forgotten,
 * as a process that died.
 */
export class RemoteReaders {
  readonly #keptMs: number;
  /** By item, when each process that reads it is forgotten; what was heard of last comes last. */
  readonly #items = new Map<string, Map<string, number>>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  add(itemId: string, process: string): void {
    const now = performance.now();
    this.#forgetUntil(now);
    const processes = this.#items.get(itemId) ?? new Map();
    this.#items.delete(itemId);
    this.#items.set(itemId, processes.set(process, now + this.#keptMs));
  }

  remove(itemId: string, process: string): void {
    const processes = this.#items.get(itemId);
    processes?.delete(process);
    if (processes?.size === 0) this.#items.delete(itemId);
  }

  isRead(itemId: string, butIn: string): boolean {
    const now = performance.now();
    for (const [process, until] of this.#items.get(itemId) ?? [])
      if (process !== butIn && until > now) return true;
    return false;
  }

  #forgetUntil(now: number): void {
    for (const [itemId, processes] of this.#items) {
      if (Math.max(...processes.values()) > now) return;
      this.#items.delete(itemId);
    }
  }
}
