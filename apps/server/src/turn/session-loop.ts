import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Bus } from '../bus/bus.ts';
import { ModelError } from '../model/model-error.ts';
import type { Delivery, ItemBody } from '../session/queue-item.ts';
import { sessionCompleted } from '../events/new-event.ts';
import { noExtras } from '../session/sessions.ts';
import type { CommandOutcome, NamedTurn, SessionEnd } from '../session/session-command.ts';
import { type Turn, openTurn } from '../session/state/phase.ts';
import { readState } from '../session/state/read-state.ts';
import type { SessionState } from '../session/state/schema.ts';
import { UnreadableStateError } from '../session/state/unreadable-state-error.ts';
import { EventTooLargeError, LeaseLostError, StoreUnavailableError } from '../store/store-error.ts';
import type { FinishedCommand, SessionCommandRecord } from '../store/command-store.ts';
import type { StoredEvent } from '../store/event-store.ts';
import type { Lease } from '../store/lease-store.ts';
import type { QueueItem } from '../store/queue-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import { type Appender, createAppender } from '../events/appender.ts';
import type { AgentRuntime } from './agent-runtime.ts';
import { loadCallResults, splitCallResults } from './call-results.ts';
import { type TurnContext, checkpoint } from './context.ts';
import { clearContext, compactContext } from './session-commands.ts';
import { type Arrival, startTurn } from './start-turn.ts';
import { type Ending, type Failure, cancelTurn, failItem, failTurn } from './finish-turn.ts';
import { TurnInterruptedError, type Interruption, interruption } from './turn-interrupted-error.ts';
import { BackOff } from './back-off.ts';
import { failUnreadable } from './fail-unreadable.ts';
import { type ReceivedCommand, ReceivedCommands, finished } from './received-commands.ts';
import { readHistory } from './prompt/read-history.ts';
import { countInterruptedStep, recoverTurn } from './recover.ts';
import { runTurn } from './run-turn.ts';
import { TokenBudget, TokensUsedUpError } from './token-budget.ts';
import { nextWakeup } from './next-wakeup.ts';

const longestPauseMs = 30_000;
/** A visitor waits for the store to come back. */
const longestPingPauseMs = 4_000;
/** How often one item is begun before its turn is failed. */
const maxTries = 8;

export interface SessionLoopDeps {
  readonly store: Store;
  readonly bus: Bus;
  readonly logger: Logger;
  /** Null when the agent does not exist any more. */
  readonly resolveAgent: (session: SessionRecord) => Promise<AgentRuntime | null>;
  readonly publish: (sessionId: string, events: readonly StoredEvent[]) => void;
  /** Whether somebody reads the item's turn, in any process but this one. */
  readonly isRead: (sessionId: string, itemId: string, butIn: string) => boolean;
}

/** Made once: the reason of an abort that nobody gives one is a new exception with its stack. */
const turnOver = new Error('The turn is over.');

interface CurrentTurn {
  readonly controller: AbortController;
  turnId: string | null;
  itemId: string | null;
  /** Those that cancel it. */
  commands: ReceivedCommand[];
}

/** What a turn is run for: an item of the queue, a time that has come, or (null) itself, since it was cut off. */
type Occasion = QueueItem | 'wake' | null;

/** What the transaction that gave the lease knew: read by nobody again. */
export interface HandedOver {
  readonly session: SessionRecord;
  /** The first item that waits. */
  readonly item: QueueItem;
  /** The item that was accepted with the lease. */
  readonly accepted: string;
  readonly commands: readonly SessionCommandRecord[];
}

/** Works off the queue of one session, turn after turn, under one claim. */
export class SessionLoop {
  readonly #options: SessionLoopDeps;
  readonly #claim: Lease;
  /** What others ask of the session. */
  readonly commands: ReceivedCommands;
  /** The item that was accepted with the lease, and so was let in by the tokens of the day. */
  readonly #accepted: string | null;
  #handedOver: HandedOver | null;
  #appender: Appender;
  /** Of the turn that runs or is about to. */
  #turn: CurrentTurn = newTurn();
  /** Items that were cancelled while they waited, and by what: their turns are cancelled as soon as they begin. */
  readonly #cancelledItems = new Map<string, ReceivedCommand[]>();
  /** The item of the last turn that had an event which the log does not take. */
  #tooLarge: string | null = null;
  /** How often in a row what is next in the queue was begun. */
  #tries = 0;
  /** A turn that this loop ran may stand open in the log: the store failed in the middle of it. */
  #cutOff = false;
  readonly #attempts = new BackOff(longestPauseMs);
  readonly #pings = new BackOff(longestPingPauseMs);
  #ending: { readonly end: SessionEnd; readonly command: ReceivedCommand | null } | null = null;
  /** The session is another process's to go on with. */
  #left = false;
  #ended = false;
  #stopping = false;
  /**
   * Resolves when the queue is worked off and the lease let go, or when there is nothing more to do here. Never rejects.
   */
  readonly done: Promise<void>;

  constructor(options: SessionLoopDeps, claim: Lease, handedOver: HandedOver | null) {
    this.#options = options;
    this.#claim = claim;
    this.#accepted = handedOver?.accepted ?? null;
    this.#handedOver = handedOver;
    this.#appender = this.#newAppender();
    this.commands = new ReceivedCommands({
      obey: (command) => this.#obey(command),
      write: (commands) => this.#appender.commit({ commands }),
      onFinished: () =>
        options.bus.publish({ topic: 'sessionCommand', sessionId: claim.sessionId, state: 'finished' }),
    });
    this.done = this.#finishWork();
  }

  #obey(command: ReceivedCommand): void {
    const { body } = command;
    if (!body) return this.#drop(command);
    switch (body.kind) {
      case 'cancel':
        return this.#cancel(command, body);
      case 'abandon':
        if (this.#options.isRead(this.#claim.sessionId, body.itemId, body.process))
          return this.commands.finish([command], 'still-read');
        return this.#cancel(command, body);
      case 'end':
        this.#ending ??= { end: body, command };
        return this.#interrupt('cancelled');
    }
  }

  /**
   * Of a newer version, or not what any version writes. Nobody who understands it may come while this process runs the
   * session, which no one could let go of while the command waits.
   */
  #drop(command: ReceivedCommand): void {
    const { sessionId } = this.#claim;
    this.#options.logger.warn(
      { sessionId, command: command.id },
      'a command that nobody here understands was dropped',
    );
    this.commands.finish([command], 'no-active-turn');
  }

  #cancel(command: ReceivedCommand, named: NamedTurn): void {
    const { turnId, itemId } = this.#turn;
    const other = (named.turnId && named.turnId !== turnId) || (named.itemId && named.itemId !== itemId);
    if (!other) {
      this.#turn.commands.push(command);
      this.#interrupt('cancelled');
    } else if (named.itemId) this.#keep(command, named.itemId);
    else this.commands.finish([command], 'no-active-turn');
  }

  /** For the turn of the item, or for the next one where it is not known which item that is. */
  #keep(command: ReceivedCommand, itemId: string | null): void {
    if (itemId === null) {
      this.#turn.commands.push(command);
      this.#interrupt('cancelled');
    } else {
      const commands = this.#cancelledItems.get(itemId) ?? [];
      this.#cancelledItems.set(itemId, [...commands, command]);
    }
  }

  /** What cancels the item comes to the turn that runs. */
  #takeKept(itemId: string): void {
    const kept = this.#cancelledItems.get(itemId);
    if (!kept) return;
    this.#cancelledItems.delete(itemId);
    this.#turn.commands.push(...kept);
    this.#interrupt('cancelled');
  }

  /** Of a command that the work was over before. */
  #outcomeOf({ body }: ReceivedCommand): CommandOutcome | null {
    if (this.#left) return null;
    if (this.#ended) return 'session-ended';
    return body?.kind === 'end' ? null : 'no-active-turn';
  }

  /** Begins nothing more; the turn that runs may finish. */
  finish(): void {
    this.#stopping = true;
    this.#attempts.end();
    this.#pings.end();
  }

  /** Leaves the turn that runs in the log, for whoever takes the session over. */
  leave(): void {
    this.#interrupt('stopping');
  }

  #interrupt(reason: Interruption): void {
    this.#turn.controller.abort(new TurnInterruptedError(reason));
  }

  #newAppender(): Appender {
    const { store, publish } = this.#options;
    const appender = createAppender({
      store,
      claim: this.#claim,
      publish: (events) => publish(this.#claim.sessionId, events),
      onFailure: (error) => {
        if (this.#appender !== appender) return;
        if (error instanceof EventTooLargeError) this.#tooLarge = this.#turn.itemId;
        this.#interrupt(error instanceof LeaseLostError ? 'fenced' : 'unwritable');
      },
    });
    return appender;
  }

  async #finishWork(): Promise<void> {
    try {
      await this.#work();
    } catch (error) {
      const { sessionId } = this.#claim;
      this.#options.logger.error({ err: error, sessionId }, 'a session was left to whoever takes it over');
      this.#left = true;
    }
    if (this.#left) await this.#letGo();
    this.commands.settleRest((command) => this.#outcomeOf(command));
  }

  /** Whatever waits is for whoever takes the session over, and they need not wait for the lease to run out. */
  async #letGo(): Promise<void> {
    const { store, logger } = this.#options;
    try {
      await store.abandonLease(this.#claim);
    } catch (error) {
      logger.warn({ err: error }, 'a lease could not be let go and has to run out');
    }
  }

  async #work(): Promise<void> {
    const { logger } = this.#options;
    for (;;) {
      try {
        await this.#workQueue().catch((error: unknown) => this.#failUnreadable(error));
        return;
      } catch (error) {
        const reason = error instanceof TurnInterruptedError ? error.reason : null;
        if (error instanceof LeaseLostError || reason === 'fenced' || reason === 'stopping') {
          this.#left = true;
          return;
        }
        if (error instanceof EventTooLargeError) {
          logger.error({ err: error, sessionId: this.#claim.sessionId }, 'a turn could not be written');
        } else if (error instanceof StoreUnavailableError || reason === 'unwritable') {
          logger.warn({ err: error }, 'the store cannot be written; waiting for it');
        } else {
          logger.error(
            { err: error, sessionId: this.#claim.sessionId },
            'the session could not go on; trying again',
          );
        }
        // Which turn a command is about is known when it is known which turn is open.
        this.commands.hold();
        // A store that takes the ping may refuse the commit all the same.
        await this.#attempts.pause();
        this.#left = !(await this.#untilWritable());
        if (this.#left) return;
        const { commands } = this.#turn;
        this.#turn = newTurn();
        for (const command of commands) this.#keep(command, null);
        this.#appender = this.#newAppender();
      }
    }
  }

  async #workQueue(): Promise<void> {
    const { store } = this.#options;
    const claim = this.#claim;
    const known = this.#handedOver;
    this.#handedOver = null;
    let session: SessionRecord | null = known?.session ?? (await store.getSession(claim.sessionId));
    let next: QueueItem | null = known?.item ?? null;
    if (!session) return;
    const turn = openTurn(readState(session));
    if (turn) Object.assign(this.#turn, namesOf(turn));
    for (const command of known?.commands ?? (await store.listCommands(claim.sessionId)))
      this.commands.receiveStored(command);
    if (turn) this.#takeKept(turn.itemId);
    this.commands.open();
    if (turn) {
      if (await (this.#cutOff ? this.#endCutOff(session) : this.#runTurn(session, null))) return;
      session = null;
    }
    for (let releases = 0; releases < 2;) {
      if (this.#ending) return this.#end(this.#ending.end);
      if (this.#stopping) {
        this.#left = true;
        return void (await store.releaseLease(claim));
      }
      const item = next ?? (await store.listQueue(claim.sessionId))[0];
      next = null;
      if (item) {
        releases = 0;
        session ??= await store.getSession(claim.sessionId);
        if (!session) return;
        if (await this.#runTurn(session, item)) return;
        session = null;
      } else {
        session ??= await store.getSession(claim.sessionId);
        if (session && isDue(session)) {
          if (await this.#runTurn(session, 'wake')) return;
          session = null;
        } else {
          this.#finishIdle();
          await this.commands.written();
          if (await store.releaseLease(claim)) return;
          const waiting = await store.listCommands(claim.sessionId);
          // Nothing runs that one of them could still be waiting for.
          this.commands.forget();
          for (const command of waiting) this.commands.receiveStored(command);
          releases = waiting.length > 0 ? 0 : releases + 1;
        }
      }
    }
  }

  async #failUnreadable(error: unknown): Promise<void> {
    if (!(error instanceof UnreadableStateError)) throw error;
    const { store, logger } = this.#options;
    const { sessionId } = this.#claim;
    const errorId = randomUUID();
    logger.error({ err: error, errorId, sessionId }, 'the session cannot be read; its turns fail');
    await failUnreadable({ store, sessionId, appender: this.#appender, errorId });
  }

  /** No turn runs and none is about to: what would cancel one has nothing to cancel. */
  #finishIdle(): void {
    const idle = [...this.#turn.commands, ...[...this.#cancelledItems.values()].flat()];
    if (idle.length === 0) return;
    this.#cancelledItems.clear();
    this.#turn = newTurn();
    this.commands.finish(idle, 'no-active-turn');
  }

  /** True when the lease was let go with the turn's last commit. */
  async #runTurn(session: SessionRecord, occasion: Occasion): Promise<boolean> {
    const released = await this.#tryTurn(session, occasion);
    this.#succeeded();
    return released;
  }

  #succeeded(): void {
    this.#tries = 0;
    this.#attempts.reset();
  }

  async #tryTurn(session: SessionRecord, occasion: Occasion): Promise<boolean> {
    const { store, resolveAgent } = this.#options;
    const item = occasion === 'wake' ? null : occasion;
    if (occasion !== null && this.#tries >= maxTries)
      return this.#giveUp(session, occasion, new Error(`The turn could not be written in ${maxTries} tries`));
    this.#tries += 1;
    if (item && item.id === this.#tooLarge)
      return this.#giveUp(
        session,
        item,
        new EventTooLargeError('The turn begins with an event that is too large'),
      );
    let runtime: AgentRuntime | null;
    try {
      runtime = await resolveAgent(session);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      return this.#giveUp(session, occasion, error);
    }
    if (!runtime) {
      await this.#end({ events: [sessionCompleted()], status: 'completed' });
      // Accepted while its tenant was being deleted: nothing of it may stay.
      if ((await store.settings.tenants.get(session.tenantId)) === null)
        await store.removeSession(session.id);
      return true;
    }
    try {
      return await this.#runTurnOf(runtime, session, occasion);
    } finally {
      runtime.release();
    }
  }

  async #runTurnOf(
    runtime: Omit<AgentRuntime, 'release'>,
    session: SessionRecord,
    occasion: Occasion,
  ): Promise<boolean> {
    const { store, logger } = this.#options;
    const item = occasion === 'wake' ? null : occasion;
    const { signal } = this.#turn.controller;
    const { state, resultIds } = await loadCallResults(store, session.id, readState(session));
    const tokens = new TokenBudget({
      store,
      sessionId: session.id,
      agent: runtime.agent,
      granted: item !== null && item.id === this.#accepted,
      usage: openTurn(state)?.usage ?? { inputTokens: 0, outputTokens: 0 },
    });
    const context: TurnContext = {
      ...runtime,
      tokens,
      store,
      session,
      logger,
      signal,
      appender: this.#appender,
      released: false,
      state,
      resultIds,
      firstDeltaAt: openTurn(state)?.firstDeltaAt ?? null,
      history: session.nextIndex === 0 ? [] : await readHistory(store, session.id, state),
    };
    let deadline: NodeJS.Timeout | null = null;
    let over = false;
    try {
      if (item) {
        this.#turn.itemId = item.id;
        this.#takeKept(item.id);
      }
      if (this.#tries > 1 && item && (item.body as ItemBody).kind !== 'delivery') {
        // To compact is to call the model: not once more for a store that takes nothing.
        await this.#appender.commit({ state: session.state });
      }
      if (occasion === 'wake') await startTurn(context, wakeUp(), nothing);
      else if (item) await runItem(context, item);
      else if (signal.aborted) await countInterruptedStep(context);
      else await recoverTurn(context);
      const turn = openTurn(context.state);
      if (turn) {
        Object.assign(this.#turn, namesOf(turn));
        if (turn.deadline !== null) {
          const left = turn.deadline - Date.now();
          deadline = setTimeout(() => this.#interrupt('timed-out'), Math.max(left, 0));
        }
        // The model is called beside the first write, but not once more for a write that failed.
        if (this.#tries > 1) await this.#appender.commit({});
        signal.throwIfAborted();
        await runTurn(context);
      }
      over = true;
    } catch (error) {
      const reason = interruption(signal);
      if (error instanceof EventTooLargeError) this.#tooLarge = this.#turn.itemId;
      const isStoreFailure = context.appender.failed || isStoreError(error) || isUnwritable(reason);
      if (isStoreFailure || (reason === 'stopping' && !openTurn(context.state)))
        throw isUnwritable(reason) || reason === 'stopping' ? signal.reason : error;
      const released = openTurn(context.state)
        ? await this.#endTurn(context, error)
        : await this.#giveUp(session, occasion, error, tokens);
      over = true;
      return released;
    } finally {
      if (deadline) clearTimeout(deadline);
      // What still works for the turn, such as a call beside one that failed, may add nothing to it.
      this.#turn.controller.abort(turnOver);
      const { commands, itemId } = this.#turn;
      this.#turn = newTurn();
      this.#cutOff ||= !over;
      if (over) this.commands.finish(commands, 'no-active-turn');
      // Else somebody goes on with the turn: this loop, which was asked already, or another, which is asked again.
      else for (const command of commands) this.#keep(command, itemId);
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
    if (!occasion)
      return await this.#endStored(session, (state) => failTurn(session, state, failure, errorId));
    const { events, change } = failItem(session, occasion, failure, errorId);
    this.#appender.add(...events);
    const { released } = await this.#appender.commit({ ...change, ...tokens?.spend() });
    return released;
  }

  /** True when the lease was let go with it. */
  async #endTurn(context: TurnContext, error: unknown): Promise<boolean> {
    const { state, signal, logger, appender, session } = context;
    const reason = interruption(signal);
    if (reason === 'stopping') {
      await checkpoint(context, { state });
      throw error;
    }
    const errorId = randomUUID();
    const failure = describeFailure(reason, error);
    if (reason !== 'cancelled')
      logger.warn({ err: error, errorId, sessionId: session.id, code: failure.code }, 'a turn failed');
    const { events, change } =
      reason === 'cancelled' ? cancelTurn(state) : failTurn(session, state, failure, errorId);
    appender.add(...events);
    const cancelled = reason === 'cancelled' ? this.#turn.commands : [];
    // Whoever asked for the end of a task has it: a task ends with its turn.
    const ends = change.status !== undefined;
    const ending = ends && this.#ending?.command ? [this.#ending.command] : [];
    const commands = [...finished(cancelled, 'cancelled'), ...finished(ending, 'ended')];
    await checkpoint(context, commands.length > 0 ? { ...change, commands } : change);
    this.#ended ||= ends;
    this.commands.settle(cancelled, 'cancelled');
    this.commands.settle(ending, 'ended');
    return context.released;
  }

  /**
   * The store was out of reach in the middle of a turn: what the log holds of it ends as cancelled where somebody asked
   * for that, else as failed. True when the lease was let go with it.
   */
  async #endCutOff(session: SessionRecord): Promise<boolean> {
    const cancelled = [...this.#turn.commands];
    const message = 'The answer could not be stored. Please send your message again.';
    const ending = (state: SessionState) =>
      cancelled.length > 0 || this.#ending
        ? cancelTurn(state)
        : failTurn(session, state, { code: 'INTERNAL', message }, randomUUID());
    const released = await this.#endStored(session, ending, finished(cancelled, 'cancelled'));
    this.commands.settle(cancelled, 'cancelled');
    const { commands } = this.#turn;
    this.#turn = newTurn();
    this.commands.finish(commands, 'no-active-turn');
    this.#succeeded();
    return released;
  }

  /** Ends the turn that the stored state has open. True when the lease was let go with it. */
  async #endStored(
    session: SessionRecord,
    ending: (state: SessionState) => Ending,
    commands: readonly FinishedCommand[] = [],
  ): Promise<boolean> {
    const { store } = this.#options;
    const { state, resultIds } = await loadCallResults(store, session.id, readState(session));
    const { events, change } = ending(state);
    this.#appender.add(...events);
    const { released } = await this.#appender.commit({
      ...change,
      ...splitCallResults(change.state, resultIds),
      ...(commands.length > 0 && { commands }),
    });
    return released;
  }

  async #untilWritable(): Promise<boolean> {
    while (!this.#stopping) {
      try {
        await this.#options.store.ping();
        this.#pings.reset();
        return true;
      } catch (error) {
        if (!(error instanceof StoreUnavailableError))
          this.#options.logger.warn({ err: error }, 'the store does not answer as it should; waiting for it');
        await this.#pings.pause();
      }
    }
    return false;
  }

  async #end({ events, status }: SessionEnd): Promise<void> {
    const command = this.#ending?.command ?? null;
    const commands = command === null ? [] : [command];
    this.#appender.add(...events);
    await this.#appender.commit({ status, commands: finished(commands, 'ended') });
    this.#ended = true;
    this.commands.settle(commands, 'ended');
  }
}

function runItem(context: TurnContext, item: QueueItem): Promise<void> {
  const body = item.body as ItemBody;
  switch (body.kind) {
    case 'delivery':
      return startTurn(
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
  return (nextWakeup(session, readState(session)) ?? Number.POSITIVE_INFINITY) <= Date.now();
}

function newTurn(): CurrentTurn {
  return { controller: new AbortController(), turnId: null, itemId: null, commands: [] };
}

function namesOf({ sequence, itemId }: Turn): Pick<CurrentTurn, 'turnId' | 'itemId'> {
  return { turnId: `turn_${sequence}`, itemId };
}

function isStoreError(error: unknown): boolean {
  return [EventTooLargeError, LeaseLostError, StoreUnavailableError].some((type) => error instanceof type);
}

function isUnwritable(reason: Interruption | null): boolean {
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
