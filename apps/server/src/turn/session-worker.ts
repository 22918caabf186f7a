import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { ModelError } from '../model/model-error.ts';
import type { Model } from '../model/model.ts';
import type { Delivery, ItemBody } from '../session/item.ts';
import { sessionCompleted } from '../session/new-event.ts';
import { noExtras } from '../session/sessions.ts';
import type { SessionState } from '../session/state.ts';
import type { SessionEnd } from '../session/turn-runner.ts';
import { EventTooLarge, Fenced, StoreUnavailable } from '../store/store-error.ts';
import type { Claim, QueuedItem, SessionRecord, Store, StoredEvent } from '../store/store.ts';
import type { Tool } from '../tool/tool.ts';
import { type Appender, createAppender } from './appender.ts';
import { loadCallResults, splitCallResults } from './call-results.ts';
import { type AgentInUse, type TurnContext, checkpoint } from './context.ts';
import { clearContext, compactContext } from './controls.ts';
import { type Arrival, beginTurn } from './delivery.ts';
import { type Failure, cancelTurn, failItem, failTurn } from './ending.ts';
import { Interrupted, type Interruption, interruption } from './interrupted.ts';
import { readHistory } from './read-history.ts';
import { prepareResume } from './resume.ts';
import { runSteps } from './steps.ts';
import { TokenBudget, TokensUsedUpError } from './token-budget.ts';
import { wakeAt } from './wake-at.ts';

const writableRetryMs = 500;
const unexpectedRetryMs = 5_000;

/** What a session's turns run with, as the settings are at this moment. */
export interface Equipment {
  readonly agent: AgentInUse;
  readonly model: Model;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly asksQuestions: boolean;
}

export interface WorkerOptions {
  readonly store: Store;
  readonly logger: Logger;
  /** Null when the agent does not exist any more. */
  readonly equip: (session: SessionRecord) => Promise<Equipment | null>;
  readonly publish: (sessionId: string, events: readonly StoredEvent[]) => void;
}

/** Made once: the reason of an abort that nobody gives one is a new exception with its stack. */
const turnOver = new Error('The turn is over.');

interface CurrentTurn {
  readonly controller: AbortController;
  turnId: string | null;
  itemId: string | null;
}

/** What a turn is run for: an item of the queue, a time that has come, or (null) itself, since it was cut off. */
type Occasion = QueuedItem | 'wake' | null;

/** Works off the queue of one session, turn after turn, under one claim. */
export class SessionWorker {
  readonly #options: WorkerOptions;
  readonly #claim: Claim;
  /** The item that was accepted along with the claim. */
  readonly #accepted: string | null;
  #appender: Appender;
  /** Of the turn that runs or is about to. */
  #turn: CurrentTurn = newTurn();
  /** Items that were cancelled while they waited: their turns are cancelled as soon as they begin. */
  readonly #unwanted = new Set<string>();
  /** The item of the last turn that had an event which the log does not take. */
  #tooLarge: string | null = null;
  #ending: SessionEnd | null = null;
  #stopping = false;
  /** Resolves when the queue is worked off and the lease let go, or when there is nothing more to do here. */
  readonly done: Promise<void>;

  constructor(options: WorkerOptions, claim: Claim, accepted: string | null) {
    this.#options = options;
    this.#claim = claim;
    this.#accepted = accepted;
    this.#appender = this.#newAppender();
    this.done = this.#work();
  }

  /** Cancels the turn, if it is the one named; a named item that waits, when its turn begins. */
  cancel(named: { turnId?: string; itemId?: string }): void {
    const { turnId, itemId } = this.#turn;
    const other = (named.turnId && named.turnId !== turnId) || (named.itemId && named.itemId !== itemId);
    if (!other) this.#interrupt('cancelled');
    else if (named.itemId) this.#unwanted.add(named.itemId);
  }

  /** Cancels what runs and ends the session. False when the work was over before it could. */
  async end(ending: SessionEnd): Promise<boolean> {
    this.#ending = ending;
    this.#interrupt('cancelled');
    await this.done;
    return this.#ending === null;
  }

  /** Begins nothing more; the turn that runs may finish. */
  finish(): void {
    this.#stopping = true;
  }

  /** Leaves the turn that runs in the log, for whoever takes the session over. */
  leave(): void {
    this.#interrupt('stopping');
  }

  #interrupt(reason: Interruption): void {
    this.#turn.controller.abort(new Interrupted(reason));
  }

  #newAppender(): Appender {
    const { store, publish } = this.#options;
    const appender = createAppender({
      store,
      claim: this.#claim,
      publish: (events) => publish(this.#claim.sessionId, events),
      onFailure: (error) => {
        if (this.#appender !== appender) return;
        if (error instanceof EventTooLarge) this.#tooLarge = this.#turn.itemId;
        this.#interrupt(error instanceof Fenced ? 'fenced' : 'unwritable');
      },
    });
    return appender;
  }

  async #work(): Promise<void> {
    const { logger } = this.#options;
    for (;;) {
      try {
        await this.#workQueue();
        return;
      } catch (error) {
        const reason = error instanceof Interrupted ? error.reason : null;
        if (error instanceof Fenced || reason === 'fenced' || reason === 'stopping') return;
        if (error instanceof EventTooLarge) {
          logger.error({ err: error, sessionId: this.#claim.sessionId }, 'a turn could not be written');
        } else if (error instanceof StoreUnavailable || reason === 'unwritable') {
          logger.warn({ err: error }, 'the store cannot be written; waiting for it');
        } else {
          logger.error(
            { err: error, sessionId: this.#claim.sessionId },
            'the session could not go on; trying again',
          );
          await new Promise((resolve) => setTimeout(resolve, unexpectedRetryMs));
        }
        if (!(await this.#untilWritable())) return;
        this.#turn = newTurn();
        this.#appender = this.#newAppender();
        try {
          await this.#failOpenTurn();
        } catch (failure) {
          logger.warn({ err: failure }, 'the interrupted turn could not be marked yet');
        }
      }
    }
  }

  async #workQueue(): Promise<void> {
    const { store } = this.#options;
    const claim = this.#claim;
    let session = await store.session(claim.sessionId);
    if (!session) return;
    if ((session.state as SessionState).turn) {
      if (await this.#runTurn(session, null)) return;
      session = null;
    }
    for (let releases = 0; releases < 2;) {
      if (this.#ending) return this.#end(this.#ending);
      if (this.#stopping) return void (await store.release(claim));
      const [item] = await store.queue(claim.sessionId);
      if (item) {
        releases = 0;
        session ??= await store.session(claim.sessionId);
        if (!session) return;
        if (await this.#runTurn(session, item)) return;
        session = null;
      } else {
        session ??= await store.session(claim.sessionId);
        if (session && isDue(session)) {
          if (await this.#runTurn(session, 'wake')) return;
          session = null;
        } else {
          if (await store.release(claim)) return;
          releases += 1;
        }
      }
    }
  }

  /** True when the lease was let go with the turn's last commit. */
  async #runTurn(session: SessionRecord, occasion: Occasion): Promise<boolean> {
    const { store, equip, logger } = this.#options;
    const item = occasion === 'wake' ? null : occasion;
    if (item && item.id === this.#tooLarge)
      return this.#giveUp(
        session,
        item,
        new EventTooLarge('The turn begins with an event that is too large'),
      );
    let equipment: Equipment | null;
    try {
      equipment = await equip(session);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      return this.#giveUp(session, occasion, error);
    }
    if (!equipment) {
      await this.#end({ events: [sessionCompleted()], status: 'completed' });
      // Accepted while its tenant was being deleted: nothing of it may stay.
      if ((await store.settings.tenants.get(session.tenantId)) === null) await store.remove(session.id);
      return true;
    }
    const { signal } = this.#turn.controller;
    const { state, resultIds } = await loadCallResults(store, session.id, session.state as SessionState);
    const tokens = new TokenBudget({
      store,
      sessionId: session.id,
      agent: equipment.agent,
      granted: item !== null && item.id === this.#accepted,
    });
    const context: TurnContext = {
      ...equipment,
      tokens,
      store,
      session,
      logger,
      signal,
      appender: this.#appender,
      released: false,
      state,
      resultIds,
      history: session.nextIndex === 0 ? [] : await readHistory(store, session.id, state),
    };
    let deadline: NodeJS.Timeout | null = null;
    try {
      this.#turn.itemId = item?.id ?? null;
      if (item && this.#unwanted.delete(item.id)) this.#interrupt('cancelled');
      if (occasion === 'wake') await beginTurn(context, wakeUp(), nothing);
      else if (item) await runItem(context, item);
      else await prepareResume(context);
      const { turn } = context.state;
      if (turn) {
        this.#turn.turnId = `turn_${turn.sequence}`;
        this.#turn.itemId = turn.itemId;
        if (turn.deadline !== null) {
          const left = turn.deadline - Date.now();
          deadline = setTimeout(() => this.#interrupt('timed-out'), Math.max(left, 0));
        }
        signal.throwIfAborted();
        await runSteps(context);
      }
    } catch (error) {
      const reason = interruption(signal);
      if (error instanceof EventTooLarge) this.#tooLarge = this.#turn.itemId;
      if (isStoreFailure(signal, error) || (reason === 'stopping' && !context.state.turn))
        throw signal.aborted ? signal.reason : error;
      if (!context.state.turn) return await this.#giveUp(session, occasion, error, tokens);
      await this.#endTurn(context, error);
    } finally {
      if (deadline) clearTimeout(deadline);
      // What still works for the turn, such as a call beside one that failed, may add nothing to it.
      this.#turn.controller.abort(turnOver);
      this.#turn = newTurn();
    }
    return context.released;
  }

  /** What cannot be worked on is ended: left alone it would be tried again for ever, and everything behind it wait. */
  async #giveUp(
    session: SessionRecord,
    occasion: Occasion,
    error: unknown,
    tokens?: TokenBudget,
  ): Promise<boolean> {
    const errorId = randomUUID();
    this.#options.logger.error({ err: error, errorId, sessionId: session.id }, 'a turn could not begin');
    const failure = describeFailure(null, error);
    if (occasion === 'wake') {
      // Whatever the visitor does next finds out what is due.
      return (await this.#appender.commit({ wakeAt: null, release: true })).released;
    }
    if (!occasion) return await this.#failTurn(session, failure, errorId);
    const { events, change } = failItem(session, occasion, failure, errorId);
    this.#appender.add(...events);
    const { released } = await this.#appender.commit({ ...change, ...tokens?.spend() });
    return released;
  }

  async #endTurn(context: TurnContext, error: unknown): Promise<void> {
    const { state, signal, logger, appender, session } = context;
    const reason = interruption(signal);
    if (reason === 'stopping') {
      await appender.commit(context.tokens.spend());
      throw error;
    }
    const errorId = randomUUID();
    const failure = describeFailure(reason, error);
    if (reason !== 'cancelled')
      logger.warn({ err: error, errorId, sessionId: session.id, code: failure.code }, 'a turn failed');
    const { events, change } = reason === 'cancelled' ? cancelTurn(state) : failTurn(state, failure, errorId);
    appender.add(...events);
    await checkpoint(context, change);
  }

  /** The store was out of reach in the middle of a turn: what the log holds of it ends as failed. */
  async #failOpenTurn(): Promise<void> {
    const session = await this.#options.store.session(this.#claim.sessionId);
    if (!session || !(session.state as SessionState).turn) return;
    const message = 'The answer could not be stored. Please send your message again.';
    await this.#failTurn(session, { code: 'INTERNAL', message }, randomUUID());
  }

  /** Ends as failed the turn that the stored state has open. True when the lease was let go with it. */
  async #failTurn(session: SessionRecord, failure: Failure, errorId: string): Promise<boolean> {
    const { store } = this.#options;
    const { state, resultIds } = await loadCallResults(store, session.id, session.state as SessionState);
    const { events, change } = failTurn(state, failure, errorId);
    this.#appender.add(...events);
    const { released } = await this.#appender.commit({
      ...change,
      ...splitCallResults(change.state, resultIds),
    });
    return released;
  }

  async #untilWritable(): Promise<boolean> {
    while (!this.#stopping) {
      try {
        await this.#options.store.ping();
        return true;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await new Promise((resolve) => setTimeout(resolve, writableRetryMs));
      }
    }
    return false;
  }

  async #end({ events, status }: SessionEnd): Promise<void> {
    this.#appender.add(...events);
    await this.#appender.commit({ status });
    this.#ending = null;
  }
}

function runItem(context: TurnContext, item: QueuedItem): Promise<void> {
  const body = item.body as ItemBody;
  switch (body.kind) {
    case 'delivery':
      return beginTurn(
        context,
        { id: item.id, at: item.acceptedAt, acceptedIndex: item.acceptedIndex, consume: [item.position] },
        body,
      );
    case 'clear':
      return clearContext(context, item);
    case 'compact':
      return compactContext(context, item);
  }
}

const nothing: Delivery = { ...noExtras, kind: 'delivery', message: null };

function wakeUp(): Arrival {
  return { id: randomUUID(), at: Date.now(), acceptedIndex: null, consume: [], unattended: true };
}

function isDue(session: SessionRecord): boolean {
  return (wakeAt(session, session.state as SessionState) ?? Number.POSITIVE_INFINITY) <= Date.now();
}

function newTurn(): CurrentTurn {
  return { controller: new AbortController(), turnId: null, itemId: null };
}

function isStoreFailure(signal: AbortSignal, error: unknown): boolean {
  if ([EventTooLarge, Fenced, StoreUnavailable].some((type) => error instanceof type)) return true;
  const reason = interruption(signal);
  return reason === 'fenced' || reason === 'unwritable';
}

function describeFailure(reason: Interruption | null, error: unknown): Failure {
  if (reason === 'timed-out')
    return { code: 'TURN_TIMEOUT', message: 'The answer took too long and was stopped.' };
  if (error instanceof TokensUsedUpError)
    return {
      code: 'QUOTA_EXCEEDED',
      message: 'The assistant has reached its limit for today. Please try again tomorrow.',
    };
  if (error instanceof ModelError) {
    return { code: 'MODEL_CALL_FAILED', message: 'The assistant could not answer. Please try again.' };
  }
  return { code: 'INTERNAL', message: 'Something went wrong on our side. Please try again.' };
}
