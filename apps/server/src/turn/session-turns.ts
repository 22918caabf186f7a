import { randomUUID } from 'node:crypto';
import { sessionCompleted } from '../events/new-event.ts';
import { openTurn } from '../session/state/phase.ts';
import { readState } from '../session/state/read-state.ts';
import type { SessionState } from '../session/state/schema.ts';
import type { SessionRecord } from '../store/session-store.ts';
import { EventTooLargeError, LeaseLostError, StoreUnavailableError } from '../store/store-error.ts';
import type { AgentRuntime } from './agent-runtime.ts';
import { beginWork, isTurnInput } from './begin-work.ts';
import { loadCallResults } from './call-results.ts';
import type { TurnContext } from './context.ts';
import { endInterruptedTurn } from './end-interrupted-turn.ts';
import { endStoredTurn } from './end-stored-turn.ts';
import { cancelTurn, failTurn } from './finish-turn.ts';
import { giveUpTurn } from './give-up-turn.ts';
import { readHistory } from './prompt/read-history.ts';
import { finished } from './received-commands.ts';
import { runTurn } from './run-turn.ts';
import type { SessionWork } from './session-work.ts';
import { TokenBudget } from './token-budget.ts';
import { turnFailure } from './turn-failure.ts';
import { turnLogger } from './turn-logger.ts';
import { type TurnStatus, reportTurn, startTurnSpan } from './turn-report.ts';
import { type Interruption, interruption } from './turn-interrupted-error.ts';
import type { TurnSource } from './turn-source.ts';

/** Runs the turns of one session, each to its end. */
export class SessionTurns {
  readonly #work: SessionWork;
  /** The item that was accepted with the lease, and so was let in by the tokens of the day, unless it was one for the team. */
  readonly #accepted: string | null;
  /** A turn that was run here may stand open in the log: the store failed in the middle of it. */
  #cutOff = false;

  constructor(work: SessionWork, accepted: string | null) {
    this.#work = work;
    this.#accepted = accepted;
  }

  /** True when the lease was let go with the turn's last commit. */
  async run(session: SessionRecord, source: TurnSource): Promise<boolean> {
    const released = await this.#attempt(session, source);
    this.#work.attempts.succeed();
    return released;
  }

  /** Goes on with the turn that is open in the log, or ends it. True when the lease was let go with it. */
  goOn(session: SessionRecord): Promise<boolean> {
    return this.#cutOff ? this.#endCutOff(session) : this.run(session, 'resume');
  }

  async #attempt(session: SessionRecord, source: TurnSource): Promise<boolean> {
    const work = this.#work;
    const { store, commands } = work;
    const hopeless = work.attempts.begin(source);
    if (hopeless) return giveUpTurn(work, session, source, hopeless);
    let runtime: AgentRuntime | null;
    try {
      runtime = await work.resolveAgent(session);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      return giveUpTurn(work, session, source, error);
    }
    if (!runtime) {
      await work.end.write({ events: [sessionCompleted()], status: 'completed' }, work.appender, commands);
      // Accepted while its tenant was being deleted: nothing of it may stay.
      if ((await store.settings.tenants.get(session.tenantId)) === null)
        await store.removeSession(session.id);
      return true;
    }
    try {
      return await this.#runWith(runtime, session, source);
    } finally {
      runtime.release();
    }
  }

  async #runWith(
    runtime: Omit<AgentRuntime, 'release'>,
    session: SessionRecord,
    source: TurnSource,
  ): Promise<boolean> {
    const { current, attempts, appender } = this.#work;
    const context = await this.#context(runtime, session, source);
    const { signal } = context;
    let deadline: NodeJS.Timeout | null = null;
    const beganAt = Date.now();
    const times = { acceptedAt: typeof source === 'object' ? source.acceptedAt : beganAt, beganAt };
    let sequence: number | null = null;
    let ended: { status: TurnStatus; errorType?: string } = { status: 'left' };
    let over = false;
    try {
      if (typeof source === 'object') current.beginItem(source.id);
      if (attempts.isRepeated && typeof source === 'object' && !isTurnInput(source)) {
        // To compact is to call the model: not once more for a store that takes nothing.
        await appender.commit({ state: session.state });
      }
      await beginWork(context, source);
      const turn = openTurn(context.state);
      if (turn) {
        ({ sequence } = turn);
        current.open(turn);
        if (turn.deadline !== null) {
          const left = turn.deadline - Date.now();
          deadline = setTimeout(() => current.interrupt('timed-out'), Math.max(left, 0));
        }
        // The model is called beside the first write, but not once more for a write that failed.
        if (attempts.isRepeated) await appender.commit({});
        signal.throwIfAborted();
        await runTurn(context);
      }
      ended = { status: context.state.phase.type === 'waiting' ? 'waiting' : 'completed' };
      over = true;
    } catch (error) {
      const reason = interruption(signal);
      if (error instanceof EventTooLargeError) attempts.noteTooLarge(current.itemId);
      const isStoreFailure = appender.failed || isStoreError(error) || isUnwritable(reason);
      if (isStoreFailure || (reason === 'stopping' && !openTurn(context.state)))
        throw isUnwritable(reason) || reason === 'stopping' ? signal.reason : error;
      ended =
        reason === 'cancelled'
          ? { status: 'cancelled' }
          : { status: 'failed', errorType: turnFailure(reason, error).code };
      const released = openTurn(context.state)
        ? await endInterruptedTurn(this.#work, context, error)
        : await giveUpTurn(this.#work, session, source, error, context.tokens);
      over = true;
      return released;
    } finally {
      if (deadline) clearTimeout(deadline);
      reportTurn(context, times, { ...(over ? ended : { status: 'left' }), sequence });
      this.#cutOff ||= !over;
      if (over) current.end();
      else current.cutOff();
    }
    return context.released;
  }

  async #context(
    runtime: Omit<AgentRuntime, 'release'>,
    session: SessionRecord,
    source: TurnSource,
  ): Promise<TurnContext> {
    const { store, logger, tracer, current, appender } = this.#work;
    const { signal } = current;
    const { state, resultIds } = await loadCallResults(store, session.id, readState(session));
    const turn = openTurn(state);
    const tokens = new TokenBudget({
      store,
      sessionId: session.id,
      agent: runtime.agent,
      granted:
        runtime.fallback === null &&
        typeof source === 'object' &&
        source.id === this.#accepted &&
        !state.hold,
      usage: turn?.usage ?? { inputTokens: 0, outputTokens: 0 },
    });
    return {
      ...runtime,
      tokens,
      store,
      session,
      logger: turnLogger(logger, session, source, state),
      span: startTurnSpan(tracer, runtime, session, source),
      signal,
      rest: (...work) => current.rest(...work),
      appender,
      released: false,
      state,
      resultIds,
      firstDeltaAt: turn?.firstDeltaAt ?? null,
      hasSpoken: false,
      takesFiles: true,
      standIn: null,
      history: session.nextIndex === 0 ? [] : await readHistory(store, session.id, state),
    };
  }

  /**
   * The store was out of reach in the middle of a turn: what the log holds of it ends as cancelled where somebody asked
   * for that, else as failed.
   */
  async #endCutOff(session: SessionRecord): Promise<boolean> {
    const { current, commands, end, attempts } = this.#work;
    const cancelled = [...current.commands];
    const message = 'The answer could not be stored. Please send your message again.';
    const finishTurn = (state: SessionState) =>
      cancelled.length > 0 || end.requested
        ? cancelTurn(state)
        : failTurn(session, state, { code: 'INTERNAL', message }, randomUUID());
    // Whoever asked for the end of a task has it: a task ends with its turn.
    const ends = readState(session).mode === 'task';
    const ending = ends ? end.commands : [];
    const outcomes = [...finished(cancelled, 'cancelled'), ...finished(ending, 'ended')];
    const released = await endStoredTurn(this.#work, session, finishTurn, outcomes);
    end.ended ||= ends;
    commands.settle(cancelled, 'cancelled');
    commands.settle(ending, 'ended');
    current.end();
    attempts.succeed();
    return released;
  }
}

function isStoreError(error: unknown): boolean {
  return [EventTooLargeError, LeaseLostError, StoreUnavailableError].some((type) => error instanceof type);
}

function isUnwritable(reason: Interruption | null): boolean {
  return reason === 'lease-lost' || reason === 'unwritable';
}
