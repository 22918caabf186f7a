import { randomUUID } from 'node:crypto';
import type { SessionEnd, TurnRunner } from '../session/turn-runner.ts';
import type { Claim } from '../store/store.ts';
import { SessionWorker, type WorkerOptions } from './session-worker.ts';

const leaseMs = 5_000;
const renewalMs = 1_500;
const sweepMs = 2_000;
const sweepPage = 100;

/**
 * Runs turns, one at a time per session, for as long as it holds the session's lease.
 * What it was doing when the process died is in the log and the state; the next to `start` goes on with it.
 */
export class Runner implements TurnRunner {
  readonly #options: WorkerOptions;
  readonly #owner = randomUUID();
  readonly #workers = new Map<string, SessionWorker>();
  #timers: NodeJS.Timeout[] = [];
  #stopping = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  lease(): { owner: string; until: number } {
    return { owner: this.#owner, until: Date.now() + leaseMs };
  }

  /** Works off the session's queue; `accepted` names the item that came with the claim. Returns at once. */
  run(claim: Claim, accepted: string | null = null): void {
    const worker = new SessionWorker(this.#options, claim, accepted);
    if (this.#stopping) worker.finish();
    this.#workers.set(claim.sessionId, worker);
    void worker.done.finally(() => {
      if (this.#workers.get(claim.sessionId) === worker) this.#workers.delete(claim.sessionId);
    });
  }

  /** Cancels the turn that runs here, if it is the one named; a named item that waits, when its turn begins. False when nothing runs here. */
  cancel(sessionId: string, named: { turnId?: string; itemId?: string } = {}): boolean {
    const worker = this.#workers.get(sessionId);
    worker?.cancel(named);
    return worker !== undefined;
  }

  /** Cancels what runs here and ends the session. False when nothing runs here. */
  async end(sessionId: string, ending: SessionEnd): Promise<boolean> {
    const worker = this.#workers.get(sessionId);
    return worker ? worker.end(ending) : false;
  }

  /** Takes over what nobody runs, now and from time to time, and keeps the leases of what runs here. */
  async start(): Promise<void> {
    await this.#sweep();
    const { logger, store } = this.#options;
    const warn = (error: unknown) => logger.warn({ err: error }, 'the turn runner could not reach the store');
    this.#timers = [
      setInterval(() => void this.#sweep().catch(warn), sweepMs),
      setInterval(() => {
        if (this.#workers.size > 0) store.renew(this.#owner, Date.now() + leaseMs).catch(warn);
      }, renewalMs),
    ];
  }

  /** Takes no new work, lets running turns finish for `graceMs`, then leaves them in the log for the next process. */
  async drain(graceMs: number): Promise<void> {
    this.#stopping = true;
    for (const worker of this.#workers.values()) worker.finish();
    const finished = Promise.all([...this.#workers.values()].map(({ done }) => done));
    const timeout = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([finished, timeout]);
    for (const worker of this.#workers.values()) worker.leave();
    await finished;
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #sweep(): Promise<void> {
    const { store } = this.#options;
    if (this.#stopping) return;
    for (;;) {
      const now = Date.now();
      const abandoned = await store.abandoned({ owner: this.#owner, now, limit: sweepPage });
      const taken = await Promise.all(
        abandoned.map(async (sessionId) => {
          const claim = await store.claim(sessionId, { ...this.lease(), now });
          if (claim) this.run(claim);
          return claim !== null;
        }),
      );
      if (abandoned.length < sweepPage || !taken.includes(true)) return;
    }
  }
}
