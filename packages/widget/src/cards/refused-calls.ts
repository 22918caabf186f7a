import type { ConversationStore } from '../chat/conversation-store.ts';

const most = 20;

/** Calls of page tools that ran here and whose results the service took in no form. The newest are kept, over reloads. */
const refusedCalls = (saved: ConversationStore): string[] => saved.get('refused').split(' ');

export const isRefused = (saved: ConversationStore, callId: string): boolean =>
  refusedCalls(saved).includes(callId);

export function rememberRefused(saved: ConversationStore, callId: string): false {
  saved.set('refused', [...refusedCalls(saved), callId].slice(-most).join(' ').trim());
  return false;
}
