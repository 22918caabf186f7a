import { randomUUID } from 'node:crypto';
import { type Appender, createAppender } from '../events/appender.ts';
import type { CommandOutcome } from '../session/session-command.ts';
import { UnreadableStateError } from '../session/state/unreadable-state-error.ts';
import type { Lease } from '../store/lease-store.ts';
import { EventTooLargeError, LeaseLostError, StoreUnavailableError } from '../store/store-error.ts';
import { Attempts } from './attempts.ts';
import { CurrentTurn } from './current-turn.ts';
import { failUnreadable } from './fail-unreadable.ts';
import { EndRequest } from './end-request.ts';
import { type ReceivedCommand, ReceivedCommands } from './received-commands.ts';
import { type HandedOver, SessionQueue } from './session-queue.ts';
import { SessionTurns } from './session-turns.ts';
import type { SessionLoopDeps, SessionWork } from './session-work.ts';
import { TurnInterruptedError } from './turn-interrupted-error.ts';

/** Works off the queue of one session, turn after turn, under one lease, however often the store fails meanwhile. */
export class SessionLoop {
  /** What others ask of the session. */
  readonly commands: ReceivedCommands;
  readonly #work: SessionWork;
  readonly #queue: SessionQueue;
  /** The session is another process's to go on with. */
  #left = false;
  /**
   * Resolves when the queue is worked off and the lease let go, or when there is nothing more to do here. Never rejects.
   */
  readonly done: Promise<void>;

  constructor(deps: SessionLoopDeps, lease: Lease, handedOver: HandedOver | null) {
    const { bus } = deps;
    this.commands = new ReceivedCommands({
      execute: (command) => this.#execute(command),
      write: (commands) => this.#work.appender.commit({ commands }),
      onFinished: () =>
        bus.publish({ topic: 'sessionCommand', sessionId: lease.sessionId, state: 'finished' }),
    });
    this.#work = {
      ...deps,
      lease,
      session: null,
      commands: this.commands,
      current: new CurrentTurn((commands) => this.commands.finish(commands, 'no-active-turn')),
      attempts: new Attempts(deps),
      end: new EndRequest(),
      appender: this.#newAppender(deps, lease, handedOver?.accepted.stored),
    };
    this.#queue = new SessionQueue(
      this.#work,
      new SessionTurns(this.#work, handedOver?.accepted.itemId ?? null),
      handedOver,
    );
    this.done = this.#run();
  }

  /** Begins nothing more; the turn that runs may finish. */
  drain(): void {
    this.#queue.stop();
    this.#work.attempts.end();
    this.#work.current.drain();
  }

  /** Leaves the turn that runs in the log, for whoever takes the session over. */
  abort(): void {
    this.#work.current.interrupt('stopping');
  }

  #execute(command: ReceivedCommand): void {
    const { body } = command;
    const { current, end, isRead, lease } = this.#work;
    if (!body) return this.#drop(command);
    switch (body.kind) {
      case 'cancel':
        return current.cancel(command, body);
      case 'abandon':
        if (isRead(lease.sessionId, body.itemId, body.process))
          return this.commands.finish([command], 'still-read');
        return current.cancel(command, body);
      case 'end':
        end.request(body, command);
        return current.interrupt('cancelled');
    }
  }

  /**
   * Of a newer version, or not what any version writes. Nobody who understands it may come while this process runs the
   * session, which no one could let go of while the command waits.
   */
  #drop(command: ReceivedCommand): void {
    const { logger, lease } = this.#work;
    logger.warn(
      { sessionId: lease.sessionId, command: command.id },
      'a command that nobody here understands was dropped',
    );
    this.commands.finish([command], 'no-active-turn');
  }

  /** Of a command that the work was over before. */
  #outcomeOf({ body }: ReceivedCommand): CommandOutcome | null {
    if (this.#left) return null;
    if (this.#work.end.ended) return 'session-ended';
    return body?.kind === 'end' ? null : 'no-active-turn';
  }

  #newAppender(
    { store, publish, webhookOutbox }: SessionLoopDeps,
    lease: Lease,
    after?: Promise<unknown>,
  ): Appender {
    const appender = createAppender({
      store,
      lease,
      after,
      told: {
        deliveriesOf: (events) => {
          const { session } = this.#work;
          return session ? webhookOutbox.deliveriesOf(session, events) : [];
        },
        queued: () => webhookOutbox.queued(),
      },
      publish: (events) => publish(lease.sessionId, events),
      onFailure: (error) => {
        const { current, attempts } = this.#work;
        if (this.#work.appender !== appender) return;
        if (error instanceof EventTooLargeError) attempts.noteTooLarge(current.itemId);
        current.interrupt(error instanceof LeaseLostError ? 'lease-lost' : 'unwritable');
      },
    });
    return appender;
  }

  async #run(): Promise<void> {
    const { logger, lease } = this.#work;
    try {
      this.#left = (await this.#workQueue()) === 'left';
    } catch (error) {
      const { sessionId } = lease;
      logger.error({ err: error, sessionId }, 'a session was left to whoever takes it over');
      this.#left = true;
    }
    if (this.#left) await this.#abandonLease();
    this.commands.settleRest((command) => this.#outcomeOf(command));
  }

  /** Whatever waits is for whoever takes the session over, and they need not wait for the lease to run out. */
  async #abandonLease(): Promise<void> {
    const { store, logger, lease } = this.#work;
    try {
      await store.abandonLease(lease);
    } catch (error) {
      logger.warn({ err: error }, 'a lease could not be let go and has to run out');
    }
  }

  async #workQueue(): Promise<'done' | 'left'> {
    const { attempts, current, lease } = this.#work;
    for (;;) {
      try {
        return await this.#queue.work().catch((error: unknown) => this.#failUnreadable(error));
      } catch (error) {
        if (isOver(error)) return 'left';
        this.#report(error);
        // Which turn a command is about is known when it is known which turn is open.
        this.commands.hold();
        // What it still holds back may yet be written: before it is, nobody can know what the log says.
        await this.#work.appender.commit({}).catch(() => undefined);
        if (!(await attempts.next())) return 'left';
        current.retry();
        this.#work.appender = this.#newAppender(this.#work, lease);
      }
    }
  }

  #report(error: unknown): void {
    const { logger, lease } = this.#work;
    const { sessionId } = lease;
    const isUnwritable = error instanceof TurnInterruptedError && error.reason === 'unwritable';
    if (error instanceof EventTooLargeError)
      logger.error({ err: error, sessionId }, 'a turn could not be written');
    else if (error instanceof StoreUnavailableError || isUnwritable)
      logger.warn({ err: error }, 'the store cannot be written; waiting for it');
    else logger.error({ err: error, sessionId }, 'the session could not go on; trying again');
  }

  async #failUnreadable(error: unknown): Promise<'done'> {
    if (!(error instanceof UnreadableStateError)) throw error;
    const { store, logger, lease, appender } = this.#work;
    const { sessionId } = lease;
    const errorId = randomUUID();
    logger.error({ err: error, errorId, sessionId }, 'the session cannot be read; its turns fail');
    await failUnreadable({ store, sessionId, appender, errorId });
    return 'done';
  }
}

/** The session is another's, or to be left to another. */
function isOver(error: unknown): boolean {
  if (error instanceof LeaseLostError) return true;
  return (
    error instanceof TurnInterruptedError && (error.reason === 'lease-lost' || error.reason === 'stopping')
  );
}
