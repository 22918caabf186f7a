import { randomUUID } from 'node:crypto';
import type { SessionRecord } from '../store/session-store.ts';
import { endStoredTurn } from './end-stored-turn.ts';
import { failItem, failTurn } from './finish-turn.ts';
import type { SessionWork } from './session-work.ts';
import type { TokenBudget } from './token-budget.ts';
import { turnFailure } from './turn-failure.ts';
import { turnLogger } from './turn-logger.ts';
import type { TurnSource } from './turn-source.ts';

/**
 * Ends what cannot be worked on: left alone it would be tried again for ever, and everything behind it wait. True when
 * the lease was let go with it.
 */
export async function giveUpTurn(
  work: Pick<SessionWork, 'store' | 'appender' | 'logger'>,
  session: SessionRecord,
  source: TurnSource,
  error: unknown,
  tokens?: TokenBudget,
): Promise<boolean> {
  const { appender, logger } = work;
  const errorId = randomUUID();
  const lines = turnLogger(logger, session, source, null);
  lines.error({ err: error, errorId }, 'a turn could not begin');
  const failure = turnFailure(null, error);
  if (source === 'wake-up') {
    // Whatever the visitor does next finds out what is due.
    return (await appender.commit({ wakeAt: null, release: true })).released;
  }
  if (source === 'resume')
    return endStoredTurn(work, session, (state) => failTurn(session, state, failure, errorId));
  const { events, change } = failItem(session, source, failure, errorId);
  appender.add(...events);
  const { released } = await appender.commit({ ...change, ...tokens?.spend() });
  return released;
}
