import type { Turn } from '@parley/client/turn';
import type { Chat } from '../chat/chat-model.ts';
import { typedText } from '../panel/user-bubble.tsx';
import { ownAddress } from './own-address.ts';

/** Sends a message once more with its files, as the service has them. */
export async function repeatMessage(chat: Chat, user: NonNullable<Turn['user']>): Promise<void> {
  const load = async (address: string, name: string, type: string) => {
    const response = await fetch(address, { credentials: 'omit' });
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    return new File([await response.blob()], name, { type });
  };
  try {
    const files = await Promise.all(
      user.parts.flatMap((part) => {
        const address = part.type === 'file' && ownAddress(chat.connection, part.url);
        return address ? load(address, part.filename ?? '', part.mediaType) : [];
      }),
    );
    chat.send(typedText(user), files);
  } catch {
    chat.draft.set({ problem: ({ label }) => label('NETWORK') });
  }
}
