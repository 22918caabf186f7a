import { isPassing, type ParleyError } from '@parley/client/error';
import type { SessionReference } from '@parley/client/session-input';
import type { ConversationCore } from '../conversation-core.ts';
import { asParleyError, nextPause } from '../reconnection.ts';

/**
 * Does it as soon as the network, a proxy or a limit lets it, unless the conversation is left or it is no longer wanted.
 * Whether it was done.
 */
export async function retryUntilOnline(
  { state, clock }: Pick<ConversationCore, 'state' | 'clock'>,
  attempt: (session: SessionReference) => Promise<unknown>,
  isWanted: () => boolean = () => true,
): Promise<boolean> {
  const session = state.session.value;
  const isHere = () => session === state.session.value && isWanted();
  return session !== null && retryWhile({ state, clock }, () => attempt(session), isHere);
}

/** The same, whatever conversation the visitor looks at. After each failure `isWanted` is asked. */
export async function retryWhile(
  { state, clock }: Pick<ConversationCore, 'state' | 'clock'>,
  attempt: () => Promise<unknown>,
  isWanted: () => boolean,
): Promise<boolean> {
  for (let failures = 0; ; failures++) {
    try {
      await attempt();
      return true;
    } catch (error) {
      const failure = asParleyError(error);
      if (!isPassing(failure)) throw failure;
      await recovery(state, clock, failure, failures);
      if (!isWanted()) return false;
    }
  }
}

/** Resolves when it may be tried again: when the network is back, or after a while. A limit lasts as long as it says. */
async function recovery(
  { reconnections }: ConversationCore['state'],
  clock: ConversationCore['clock'],
  error: ParleyError,
  failures: number,
): Promise<void> {
  const { value: before } = reconnections;
  let end = () => {};
  await new Promise<void>((resolve) => {
    const cancel = clock.after(nextPause(error, failures), resolve);
    const unsubscribe =
      error.retryAfter === undefined &&
      reconnections.subscribe((count) => {
        if (count > before) resolve();
      });
    end = () => {
      cancel();
      if (unsubscribe) unsubscribe();
    };
  });
  end();
}
