import { randomUUID } from 'node:crypto';
import { type TurnContext, checkpoint } from './context.ts';
import { cancelTurn, failTurn } from './finish-turn.ts';
import { finished } from './received-commands.ts';
import type { SessionWork } from './session-work.ts';
import { turnFailure } from './turn-failure.ts';
import { interruption } from './turn-interrupted-error.ts';

/** Ends the open turn, which an error or somebody interrupted. True when the lease was let go with it. */
export async function endInterruptedTurn(
  { current, commands, end }: Pick<SessionWork, 'current' | 'commands' | 'end'>,
  context: TurnContext,
  error: unknown,
): Promise<boolean> {
  const { state, signal, logger, appender, session } = context;
  const reason = interruption(signal);
  if (reason === 'stopping') {
    await checkpoint(context, { state });
    throw error;
  }
  const errorId = randomUUID();
  const failure = turnFailure(reason, error);
  if (reason !== 'cancelled') logger.warn({ err: error, errorId, code: failure.code }, 'a turn failed');
  const { events, change } =
    reason === 'cancelled' ? cancelTurn(state) : failTurn(session, state, failure, errorId);
  appender.add(...events);
  const cancelled = reason === 'cancelled' ? [...current.commands] : [];
  // Whoever asked for the end of a task has it: a task ends with its turn.
  const ends = change.status !== undefined;
  const ending = ends ? end.commands : [];
  const outcomes = [...finished(cancelled, 'cancelled'), ...finished(ending, 'ended')];
  await checkpoint(context, outcomes.length > 0 ? { ...change, commands: outcomes } : change);
  end.ended ||= ends;
  commands.settle(cancelled, 'cancelled');
  commands.settle(ending, 'ended');
  return context.released;
}
