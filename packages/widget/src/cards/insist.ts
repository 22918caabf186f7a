import type { SessionReference } from '@parley/client/session';
import type { Chat } from '../chat/chat-model.ts';
import { asParleyError } from '../chat/network.ts';

/** After which a network that may not have been away at all is tried again. */
const longPause = 15_000;

/** Does it as soon as the network lets it, unless the conversation is left before. Whether it was done. */
export async function insist(
  chat: Chat,
  attempt: (session: SessionReference) => Promise<unknown>,
): Promise<boolean> {
  const { session } = chat.state;
  while (session && session === chat.state.session) {
    try {
      await attempt(session);
      return true;
    } catch (error) {
      if (asParleyError(error).code !== 'NETWORK') throw error;
      await Promise.race([chat.network.returned, new Promise((later) => setTimeout(later, longPause))]);
    }
  }
  return false;
}
