import type { ConversationStore } from '../chat/conversation-store.ts';

const maxRemembered = 20;

/** Ids of calls of page tools that ran here and whose results the service refused in every form; the newest, over reloads. */
const refusedCalls = (saved: ConversationStore): string[] => saved.get('refused').split(' ');

export const isRefused = (saved: ConversationStore, callId: string): boolean =>
  refusedCalls(saved).includes(callId);

export function rememberRefused(saved: ConversationStore, callId: string): false {
  saved.set('refused', [...refusedCalls(saved), callId].slice(-maxRemembered).join(' ').trim());
  return false;
}
