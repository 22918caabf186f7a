/** What it takes to read and do all else in a conversation. It is loaded after an answer can be read. */
export { restoreDraftFiles } from '../outbox/attach.ts';
export { nameParts } from '../outbox/name-parts.ts';
export { reduceRest } from '../transcript/reduce-rest.ts';
export { trackUnread } from '../transcript/track-unread.ts';
export { createActions } from './actions.ts';
