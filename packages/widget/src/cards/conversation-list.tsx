import { lazy } from './lazy.tsx';

/** The conversations of an identified visitor, in the place of the one that is open. */
export const ConversationList = lazy(() => import('../conversations/conversations.tsx'));
