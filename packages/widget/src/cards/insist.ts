import { isPassing } from '@parley/client/error';
import type { SessionReference } from '@parley/client/session';
import type { Chat } from '../chat/chat-model.ts';
import { asParleyError } from '../chat/network.ts';

/**
 * Does it as soon as the network, a proxy or a limit lets it, unless the conversation is left or it is no longer wanted.
 * Whether it was done.
 */
export async function insist(
  chat: Pick<Chat, 'state' | 'network'>,
  attempt: (session: SessionReference) => Promise<unknown>,
  isWanted: () => boolean = () => true,
): Promise<boolean> {
  const { session } = chat.state;
  for (let failures = 0; session && session === chat.state.session; failures++) {
    try {
      await attempt(session);
      return true;
    } catch (error) {
      const failure = asParleyError(error);
      if (!isPassing(failure)) throw failure;
      await chat.network.recovery(failure, failures);
      if (!isWanted()) return false;
    }
  }
  return false;
}
