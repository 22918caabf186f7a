import { lazy } from '../ui/lazy.tsx';

/** The conversations of an identified visitor, in the place of the one that is open. */
export const ConversationList = lazy(() => import('./conversations.tsx'));
