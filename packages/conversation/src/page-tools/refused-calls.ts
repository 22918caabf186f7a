import type { ConversationStorage } from '../storage/conversation-storage.ts';

const maxRemembered = 20;

/** Ids of calls of page tools that ran here and whose results the service does not get; the newest, over reloads. */
const refusedCalls = (storage: ConversationStorage): string[] => storage.get('refused').split(' ');

export const isRefused = (storage: ConversationStorage, callId: string): boolean =>
  refusedCalls(storage).includes(callId);

export function rememberRefused(storage: ConversationStorage, callId: string): false {
  storage.set('refused', [...refusedCalls(storage), callId].slice(-maxRemembered).join(' ').trim());
  return false;
}
