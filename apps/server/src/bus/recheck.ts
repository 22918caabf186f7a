import type { Bus, Unsubscribe } from './bus.ts';

const pageSize = 500;

interface RecheckOptions {
  readonly bus: Pick<Bus, 'onGap'>;
  /** How long a lost message may go unnoticed, the look itself not counted. */
  readonly roundMs: number;
  /** What depends on messages at this moment. */
  readonly ids: () => Iterable<string>;
  /** Looks at a page of it, 500 ids at most. */
  readonly check: (ids: readonly string[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Looks again at everything that depends on messages of the bus, so that a lost one costs a round and nothing else. The
 * pages are spread over it, or one follows the other when there are very many; after a gap nothing waits in between.
 */
export class Recheck {
  readonly #options: RecheckOptions;
  readonly #unsubscribe: Unsubscribe;
  #timer: NodeJS.Timeout | null = null;
  #proceed: (() => void) | null = null;
  /** A gap was announced and what it may have cost is not looked at yet. */
  #hurry = false;
  #stopped = false;

  constructor(options: RecheckOptions) {
    this.#options = options;
    this.#unsubscribe = options.bus.onGap(() => {
      this.#hurry = true;
      this.#proceed?.();
    });
    void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
    this.#proceed?.();
  }

  async #run(): Promise<void> {
    const { roundMs } = this.#options;
    // Processes that begin together do not look together.
    await this.#pause(roundMs * Math.random());
    while (!this.#stopped) {
      const hurry = this.#hurry;
      this.#hurry = false;
      const ids = [...this.#options.ids()];
      for (let from = 0; from < ids.length && !this.#stopped; from += pageSize) {
        const page = ids.slice(from, from + pageSize);
        await this.#options.check(page).catch(this.#options.onError);
        if (!hurry) await this.#pause((roundMs * page.length) / ids.length);
      }
      if (hurry || ids.length === 0) await this.#pause(roundMs);
    }
  }

  /** Ends early when there is reason to hurry. */
  async #pause(ms: number): Promise<void> {
    if (this.#hurry || this.#stopped) return;
    await new Promise<void>((resolve) => {
      this.#proceed = resolve;
      this.#timer = setTimeout(resolve, ms).unref();
    });
    if (this.#timer) clearTimeout(this.#timer);
    this.#proceed = null;
  }
}
