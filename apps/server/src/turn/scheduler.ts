import { randomUUID } from 'node:crypto';
import type { CommandBody, CommandOutcome } from '../session/session-command.ts';
import type { AcceptedItem, TurnRunner } from '../session/turn-runner.ts';
import type { SessionCommandRecord } from '../store/command-store.ts';
import type { Lease, LeaseRequest } from '../store/lease-store.ts';
import type { LeasedSession } from '../store/queue-store.ts';
import { SessionLoop } from './session-loop.ts';
import type { HandedOver } from './session-queue.ts';
import type { SessionLoopDeps } from './session-work.ts';

const leaseMs = 5_000;
const renewalMs = 1_500;
/** With a lease, what a session of a dead process waits at most. */
const sweepMs = 1_000;
const sweepPage = 100;
const commandPage = 500;

/**
 * Runs turns, one at a time per session, for as long as it holds the session's lease.
 * What it was doing when the process died is in the log and the state; the next to `start` goes on with it.
 */
export class Scheduler implements TurnRunner {
  readonly #options: SessionLoopDeps;
  readonly #owner = randomUUID();
  readonly #loops = new Map<string, SessionLoop>();
  /** Leases that were asked for and are not given yet. */
  readonly #acquiring = new Set<Promise<boolean>>();
  #timers: NodeJS.Timeout[] = [];
  #stopping = false;

  constructor(options: SessionLoopDeps) {
    const { store, bus, logger } = options;
    this.#options = options;
    bus.subscribe('sessionCommand', ({ sessionId, state }) => {
      if (state !== 'sent' || !this.#loops.has(sessionId)) return;
      store.listCommands(sessionId).then(
        (commands) => this.#receive(commands),
        (err: unknown) => logger.warn({ err }, 'the commands of a session could not be read yet'),
      );
    });
    bus.subscribe('sessionQueued', ({ sessionId }) => {
      if (this.#stopping || this.#loops.has(sessionId)) return;
      this.#take(sessionId).catch((err: unknown) => logger.warn({ err }, 'a session could not be taken yet'));
    });
  }

  get lease(): LeaseRequest {
    return { owner: this.#owner, leaseMs };
  }

  run(leased: LeasedSession, accepted: AcceptedItem): void {
    this.#run(leased.lease, { ...leased, accepted });
  }

  #run(lease: Lease, handedOver: HandedOver | null): void {
    const loop = new SessionLoop(this.#options, lease, handedOver);
    if (this.#stopping) loop.drain();
    this.#loops.set(lease.sessionId, loop);
    void loop.done.finally(() => {
      if (this.#loops.get(lease.sessionId) === loop) this.#loops.delete(lease.sessionId);
    });
  }

  execute(sessionId: string, body: CommandBody): Promise<CommandOutcome | null> | null {
    const loop = this.#loops.get(sessionId);
    if (loop === undefined) return null;
    return new Promise((resolve) => loop.commands.receive({ id: null, body, settle: resolve }));
  }

  /** Takes over what nobody runs, now and from time to time, and keeps the leases of what runs here. */
  async start(): Promise<void> {
    await this.#sweep();
    const { logger } = this.#options;
    const warn = (error: unknown) => logger.warn({ err: error }, 'the turn runner could not reach the store');
    this.#timers = [
      setInterval(() => void this.#sweep().catch(warn), sweepMs),
      setInterval(() => {
        if (this.#loops.size > 0) this.#renew().catch(warn);
      }, renewalMs),
    ];
  }

  /** Takes no new work, lets running turns finish for `graceMs`, then leaves them in the log for the next process. */
  async drain(graceMs: number): Promise<void> {
    this.#stopping = true;
    for (const loop of this.#loops.values()) loop.drain();
    const timeout = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([this.#finished(), timeout]);
    for (const loop of this.#loops.values()) loop.abort();
    await this.#finished();
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #finished(): Promise<void> {
    await Promise.allSettled(this.#acquiring);
    await Promise.all([...this.#loops.values()].map(({ done }) => done));
  }

  async #renew(): Promise<void> {
    const { store } = this.#options;
    await store.renewLeases(this.lease);
    // The message that one was sent may have been lost.
    this.#receive(await store.listHeldCommands({ owner: this.#owner, limit: commandPage }));
  }

  #receive(commands: readonly SessionCommandRecord[]): void {
    for (const command of commands) this.#loops.get(command.sessionId)?.commands.receiveStored(command);
  }

  /** False when somebody else runs the session, or is to run it, or it is not open. */
  #take(sessionId: string): Promise<boolean> {
    const taken = this.#acquire(sessionId).finally(() => this.#acquiring.delete(taken));
    this.#acquiring.add(taken);
    return taken;
  }

  async #acquire(sessionId: string): Promise<boolean> {
    const { store } = this.#options;
    const lease = await store.acquireLease(sessionId, this.lease);
    if (lease === null) return false;
    if (this.#stopping) {
      // It came too late to be worked with: whoever takes the session next need not wait until it has run out.
      await store.abandonLease(lease);
      return false;
    }
    this.#run(lease, null);
    return true;
  }

  async #sweep(): Promise<void> {
    const { store } = this.#options;
    if (this.#stopping) return;
    for (;;) {
      const abandoned = await store.listRunnable({ owner: this.#owner, limit: sweepPage });
      const taken = await Promise.all(abandoned.map((sessionId) => this.#take(sessionId)));
      if (abandoned.length < sweepPage || !taken.includes(true)) return;
    }
  }
}
