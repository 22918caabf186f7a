/** What is due is found within this time. */
const sweepMs = 2_000;
/** Mails that one process hands over at once, and of these those of one tenant, whose server may be a slow one. */
const maxAtOnce = 8;
const maxOfTenant = 2;
/** What is being handed over when a process stops has this long, then it is cut off. */
const cutMs = 2_000;
/** After it the process goes on without what became of a mail being noted. */
export const stopMs = 3_000;

interface MailSweepDeps<Due extends { readonly tenantId: string }> {
  /** One of each tenant but these. */
  readonly claim: (query: {
    readonly limit: number;
    readonly exceptTenants: readonly string[];
  }) => Promise<readonly Due[]>;
  /** `signal`: the process stops. */
  readonly deliver: (due: Due, signal: AbortSignal) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Looks for mail that is due, and has it delivered: no tenant whose server is slow holds up another. */
export class MailSweep<Due extends { readonly tenantId: string }> {
  readonly #deps: MailSweepDeps<Due>;
  /** What is being delivered, and of which tenant it is. */
  readonly #running = new Map<Promise<void>, string>();
  readonly #cutOff = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #claiming: Promise<void> | null = null;
  #isWanted = false;
  #isStopping = false;

  constructor(deps: MailSweepDeps<Due>) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => this.#wake(), sweepMs);
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#claiming;
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const timers = [setTimeout(() => this.#cutOff.abort(), cutMs), setTimeout(resolve, stopMs)];
    await Promise.race([Promise.all(this.#running.keys()), isLate]);
    timers.forEach(clearTimeout);
  }

  #wake(): void {
    if (this.#isStopping) return;
    this.#isWanted = true;
    this.#claiming ??= this.#claim()
      .catch(this.#deps.failed)
      .finally(() => (this.#claiming = null));
  }

  async #claim(): Promise<void> {
    while (this.#isWanted && !this.#isStopping) {
      this.#isWanted = false;
      const limit = maxAtOnce - this.#running.size;
      if (limit <= 0) return;
      const tenants = [...this.#running.values()];
      const exceptTenants = [...new Set(tenants)].filter(
        (id) => tenants.filter((each) => each === id).length >= maxOfTenant,
      );
      const due = await this.#deps.claim({ limit, exceptTenants });
      for (const each of due) this.#begin(each);
      if (due.length > 0) this.#isWanted = true;
    }
  }

  #begin(due: Due): void {
    const work = this.#deps
      .deliver(due, this.#cutOff.signal)
      .catch(this.#deps.failed)
      .finally(() => {
        this.#running.delete(work);
        this.#wake();
      });
    this.#running.set(work, due.tenantId);
  }
}
