import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { ModelError } from '../model/model-error.ts';
import type { Model } from '../model/model.ts';
import type { ItemBody } from '../session/item.ts';
import { sessionCompleted } from '../session/new-event.ts';
import type { SessionState } from '../session/state.ts';
import type { SessionEnd, TurnRunner } from '../session/turn-runner.ts';
import { Fenced, StoreUnavailable } from '../store/store-error.ts';
import type { Claim, QueuedItem, SessionRecord, Store, StoredEvent } from '../store/store.ts';
import type { Tool } from '../tool/tool.ts';
import { type Appender, createAppender } from './appender.ts';
import { type AgentInUse, type HistoryMessage, type TurnContext, checkpoint } from './context.ts';
import { clearContext, compactContext } from './controls.ts';
import { beginTurn } from './delivery.ts';
import { type Ending, type Failure, cancelTurn, failItem, failTurn } from './ending.ts';
import { prepareResume } from './resume.ts';
import { runSteps } from './steps.ts';

const leaseMs = 5_000;
const renewalMs = 1_500;
const sweepMs = 2_000;
const sweepPage = 100;
const writableRetryMs = 500;

/** What a session's turns run with, as the settings are at this moment. */
export interface Equipment {
  readonly agent: AgentInUse;
  readonly model: Model;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly asksQuestions: boolean;
}

export interface RunnerOptions {
  readonly store: Store;
  readonly logger: Logger;
  /** Null when the agent does not exist any more. */
  readonly equip: (session: SessionRecord) => Promise<Equipment | null>;
  readonly publish: (sessionId: string, events: readonly StoredEvent[]) => void;
}

type Interruption = 'cancelled' | 'timed-out' | 'fenced' | 'unwritable' | 'stopping';

class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly reason: Interruption;
  constructor(reason: Interruption) {
    super(`The turn was interrupted: ${reason}.`);
    this.reason = reason;
  }
}

/** Made once: the reason of an abort that nobody gives one is a new exception with its stack. */
const turnOver = new Error('The turn is over.');

interface RunningSession {
  readonly claim: Claim;
  appender: Appender;
  /** Of the turn that runs or is about to. */
  turn: { controller: AbortController; turnId: string | null; itemId: string | null };
  /** Items that were cancelled while they waited: their turns are cancelled as soon as they begin. */
  readonly unwanted: Set<string>;
  ending: SessionEnd | null;
  done: Promise<void>;
}

/**
 * Runs turns, one at a time per session, for as long as it holds the session's lease.
 * What it was doing when the process died is in the log and the state; `recover` goes on with it.
 */
export class Runner implements TurnRunner {
  readonly #options: RunnerOptions;
  readonly #owner = randomUUID();
  readonly #sessions = new Map<string, RunningSession>();
  #timers: NodeJS.Timeout[] = [];
  #stopping = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  lease(): { owner: string; until: number } {
    return { owner: this.#owner, until: Date.now() + leaseMs };
  }

  /** Works off the session's queue. Returns at once. */
  run(claim: Claim): void {
    const running: RunningSession = {
      claim,
      appender: this.#appender(claim),
      turn: { controller: new AbortController(), turnId: null, itemId: null },
      unwanted: new Set(),
      ending: null,
      done: Promise.resolve(),
    };
    this.#sessions.set(claim.sessionId, running);
    running.done = this.#work(running).finally(() => {
      if (this.#sessions.get(claim.sessionId) === running) this.#sessions.delete(claim.sessionId);
    });
  }

  #appender(claim: Claim): Appender {
    const { store, publish } = this.#options;
    const appender = createAppender({
      store,
      claim,
      publish: (events) => publish(claim.sessionId, events),
      onFailure: (error) => {
        const running = this.#sessions.get(claim.sessionId);
        if (running?.appender === appender)
          this.#interrupt(running, error instanceof Fenced ? 'fenced' : 'unwritable');
      },
    });
    return appender;
  }

  /** Cancels the turn that runs here, if it is the one named; a named item that waits, when its turn begins. False when nothing runs here. */
  cancel(sessionId: string, named: { turnId?: string; itemId?: string } = {}): boolean {
    const running = this.#sessions.get(sessionId);
    if (!running) return false;
    const { turnId, itemId } = running.turn;
    const other = (named.turnId && named.turnId !== turnId) || (named.itemId && named.itemId !== itemId);
    if (!other) this.#interrupt(running, 'cancelled');
    else if (named.itemId) running.unwanted.add(named.itemId);
    return true;
  }

  /** Cancels what runs here and ends the session. False when nothing runs here. */
  async end(sessionId: string, ending: SessionEnd): Promise<boolean> {
    const running = this.#sessions.get(sessionId);
    if (!running) return false;
    running.ending = ending;
    this.#interrupt(running, 'cancelled');
    await running.done;
    return running.ending === null;
  }

  /** Takes over what nobody runs, now and from time to time, and keeps the leases of what runs here. */
  async start(): Promise<void> {
    await this.#sweep();
    const { logger, store } = this.#options;
    const warn = (error: unknown) => logger.warn({ err: error }, 'the turn runner could not reach the store');
    this.#timers = [
      setInterval(() => void this.#sweep().catch(warn), sweepMs),
      setInterval(() => {
        if (this.#sessions.size > 0) store.renew(this.#owner, Date.now() + leaseMs).catch(warn);
      }, renewalMs),
    ];
  }

  /** Takes no new work, lets running turns finish for `graceMs`, then leaves them in the log for the next process. */
  async drain(graceMs: number): Promise<void> {
    this.#stopping = true;
    const finished = Promise.all([...this.#sessions.values()].map(({ done }) => done));
    const timeout = new Promise((resolve) => setTimeout(resolve, graceMs).unref());
    await Promise.race([finished, timeout]);
    for (const running of this.#sessions.values()) this.#interrupt(running, 'stopping');
    await finished;
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #sweep(): Promise<void> {
    const { store } = this.#options;
    if (this.#stopping) return;
    for (;;) {
      const now = Date.now();
      const abandoned = await store.abandoned({ now, limit: sweepPage });
      const free = abandoned.filter((sessionId) => !this.#sessions.has(sessionId));
      const taken = await Promise.all(
        free.map(async (sessionId) => {
          const claim = await store.claim(sessionId, { ...this.lease(), now });
          if (claim) this.run(claim);
          return claim !== null;
        }),
      );
      if (abandoned.length < sweepPage || !taken.includes(true)) return;
    }
  }

  #interrupt(running: RunningSession, reason: Interruption): void {
    running.turn.controller.abort(new Interrupted(reason));
  }

  async #work(running: RunningSession): Promise<void> {
    const { logger, store } = this.#options;
    const { claim } = running;
    for (;;) {
      try {
        await this.#workQueue(running);
        return;
      } catch (error) {
        const reason = error instanceof Interrupted ? error.reason : null;
        if (error instanceof Fenced || reason === 'fenced' || reason === 'stopping') return;
        if (error instanceof StoreUnavailable || reason === 'unwritable') {
          logger.warn({ err: error }, 'the store cannot be written; waiting for it');
        } else {
          logger.error(
            { err: error, sessionId: claim.sessionId },
            'the session could not go on; trying again',
          );
          await new Promise((resolve) => setTimeout(resolve, leaseMs));
        }
        if (!(await this.#untilWritable(store))) return;
        running.turn = newTurn();
        running.appender = this.#appender(claim);
        try {
          await this.#failOpenTurn(running);
        } catch (failure) {
          logger.warn({ err: failure }, 'the interrupted turn could not be marked yet');
        }
      }
    }
  }

  async #workQueue(running: RunningSession): Promise<void> {
    const { store } = this.#options;
    const { claim } = running;
    let session = await store.session(claim.sessionId);
    if (!session) return;
    if ((session.state as SessionState).turn) {
      if (await this.#runTurn(running, session, null)) return;
      session = null;
    }
    for (let releases = 0; releases < 2;) {
      if (running.ending) return this.#end(running, running.ending);
      if (this.#stopping) return void (await store.release(claim));
      const [item] = await store.queue(claim.sessionId);
      if (item) {
        releases = 0;
        session ??= await store.session(claim.sessionId);
        if (!session) return;
        if (await this.#runTurn(running, session, item)) return;
        session = null;
      } else {
        if (await store.release(claim)) return;
        releases += 1;
      }
    }
  }

  /** True when the lease was let go with the turn's last commit. */
  async #runTurn(running: RunningSession, session: SessionRecord, item: QueuedItem | null): Promise<boolean> {
    const { store, equip, logger } = this.#options;
    let equipment: Equipment | null;
    try {
      equipment = await equip(session);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      return this.#giveUp(running, session, item, error);
    }
    if (!equipment) {
      await this.#end(running, { events: [sessionCompleted()], status: 'completed' });
      // Accepted while its tenant was being deleted: nothing of it may stay.
      if ((await store.settings.tenants.get(session.tenantId)) === null) await store.remove(session.id);
      return true;
    }
    const { signal } = running.turn.controller;
    const context: TurnContext = {
      ...equipment,
      store,
      session,
      logger,
      signal,
      appender: running.appender,
      released: false,
      state: session.state as SessionState,
      history: session.nextIndex === 0 ? [] : [...((await store.history(session.id)) as HistoryMessage[])],
    };
    let deadline: NodeJS.Timeout | null = null;
    try {
      running.turn.itemId = item?.id ?? null;
      if (item && running.unwanted.delete(item.id)) this.#interrupt(running, 'cancelled');
      if (item) await runItem(context, item);
      else await prepareResume(context);
      const { turn } = context.state;
      if (turn) {
        running.turn.turnId = `turn_${turn.sequence}`;
        running.turn.itemId = turn.itemId;
        if (turn.deadline !== null) {
          const left = turn.deadline - Date.now();
          deadline = setTimeout(() => this.#interrupt(running, 'timed-out'), Math.max(left, 0));
        }
        signal.throwIfAborted();
        await runSteps(context);
      }
    } catch (error) {
      const reason = signal.reason instanceof Interrupted ? signal.reason.reason : null;
      if (isStoreFailure(signal, error) || (reason === 'stopping' && !context.state.turn))
        throw signal.aborted ? signal.reason : error;
      if (!context.state.turn) return await this.#giveUp(running, session, item, error);
      await this.#endTurn(context, error);
    } finally {
      if (deadline) clearTimeout(deadline);
      // What still works for the turn, such as a call beside one that failed, may add nothing to it.
      running.turn.controller.abort(turnOver);
      running.turn = newTurn();
    }
    return context.released;
  }

  /** What cannot be worked on is ended: left alone it would be tried again for ever, and everything behind it wait. */
  async #giveUp(
    running: RunningSession,
    session: SessionRecord,
    item: QueuedItem | null,
    error: unknown,
  ): Promise<boolean> {
    const errorId = randomUUID();
    this.#options.logger.error({ err: error, errorId, sessionId: session.id }, 'a turn could not begin');
    const failure = describeFailure(null, error);
    const { events, change } = item
      ? failItem(session, item, failure, errorId)
      : failTurn(session.state as SessionState, failure, errorId);
    running.appender.add(...events);
    const { released } = await running.appender.commit(change);
    return released;
  }

  async #endTurn(context: TurnContext, error: unknown): Promise<void> {
    const { state, signal, logger, appender, session } = context;
    const reason = signal.aborted && signal.reason instanceof Interrupted ? signal.reason.reason : null;
    if (reason === 'stopping') {
      await appender.commit({});
      throw error;
    }
    let ending: Ending;
    if (reason === 'cancelled') {
      ending = cancelTurn(state);
    } else {
      const errorId = randomUUID();
      const failure = describeFailure(reason, error);
      logger.warn({ err: error, errorId, sessionId: session.id, code: failure.code }, 'a turn failed');
      ending = failTurn(state, failure, errorId);
    }
    appender.add(...ending.events);
    await checkpoint(context, ending.change);
  }

  /** The store was out of reach in the middle of a turn: what the log holds of it ends as failed. */
  async #failOpenTurn(running: RunningSession): Promise<void> {
    const session = await this.#options.store.session(running.claim.sessionId);
    const state = session?.state as SessionState | undefined;
    if (!state?.turn) return;
    const { events, change } = failTurn(state, {
      code: 'INTERNAL',
      message: 'The answer could not be stored. Please send your message again.',
    });
    running.appender.add(...events);
    await running.appender.commit(change);
  }

  async #untilWritable(store: Store): Promise<boolean> {
    while (!this.#stopping) {
      try {
        await store.ping();
        return true;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await new Promise((resolve) => setTimeout(resolve, writableRetryMs));
      }
    }
    return false;
  }

  async #end(running: RunningSession, { events, status }: SessionEnd): Promise<void> {
    running.appender.add(...events);
    await running.appender.commit({ status });
    running.ending = null;
  }
}

function runItem(context: TurnContext, item: QueuedItem): Promise<void> {
  const body = item.body as ItemBody;
  switch (body.kind) {
    case 'delivery':
      return beginTurn(context, item, body);
    case 'clear':
      return clearContext(context, item);
    case 'compact':
      return compactContext(context, item);
  }
}

function newTurn(): RunningSession['turn'] {
  return { controller: new AbortController(), turnId: null, itemId: null };
}

function isStoreFailure(signal: AbortSignal, error: unknown): boolean {
  if (error instanceof Fenced || error instanceof StoreUnavailable) return true;
  if (!signal.aborted || !(signal.reason instanceof Interrupted)) return false;
  return signal.reason.reason === 'fenced' || signal.reason.reason === 'unwritable';
}

function describeFailure(reason: Interruption | null, error: unknown): Failure {
  if (reason === 'timed-out')
    return { code: 'TURN_TIMEOUT', message: 'The answer took too long and was stopped.' };
  if (error instanceof ModelError) {
    return { code: 'MODEL_CALL_FAILED', message: 'The assistant could not answer. Please try again.' };
  }
  return { code: 'INTERNAL', message: 'Something went wrong on our side. Please try again.' };
}
