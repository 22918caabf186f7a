import type { ParleyError } from '@parley/client/error';
import type { StoredMessage } from '../storage/conversation-storage.ts';

/** A message of this visitor that the log does not show yet. */
export type OutboxMessage = StoredMessage & {
  /** It was found here when the page began: whoever wrote it, it was not on this page. */
  restored?: boolean;
  /** It was written while something else was being answered. */
  queued?: boolean;
  /** `at`: when it failed, 0 for before this page. */
  state: { kind: 'sending' } | { kind: 'accepted' } | { kind: 'failed'; error: ParleyError; at: number };
};
