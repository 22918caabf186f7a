import type { ParleyError } from '@parley/client/error';
import { emptyTranscript, type Transcript } from '@parley/conversation/transcript/transcript';
import type { Conversation, SavedMessage } from './conversation-store.ts';

/** A message of this visitor that the log does not show yet. */
export type Outgoing = SavedMessage & {
  /** It was found here when the page began: whoever wrote it, it was not on this page. */
  restored?: boolean;
  /** It was written while something else was being answered. */
  queued?: boolean;
  /** `at`: when it failed, 0 for before this page. */
  state: { kind: 'sending' } | { kind: 'accepted' } | { kind: 'failed'; error: ParleyError; at: number };
};

export type Answer = { optionId?: string; text?: string };
export type AnswerState = { kind: 'sending' } | { kind: 'failed'; error: ParleyError };

export type ChatState = {
  session: Conversation | null;
  transcript: Transcript;
  outbox: readonly Outgoing[];
  answers: ReadonlyMap<string, AnswerState>;
  link: 'none' | 'connecting' | 'live' | 'lost';
  online: boolean;
  /** Why this conversation cannot be read. */
  failure: ParleyError | null;
  /** The turn that the visitor has just stopped. */
  stopping: string | null;
  /** The turns that answer messages of this page; the others were there before or come from elsewhere. */
  ownTurns: ReadonlySet<string>;
  /** The turn that answers what was said last, while nothing else was being answered: it begins near the top of the view. */
  leading: string | null;
  /** The visitor looks at the list of their conversations. */
  listing: boolean;
};

/** A conversation of which nothing has arrived yet. */
export const nothingRead = {
  transcript: emptyTranscript,
  failure: null,
  ownTurns: new Set<string>(),
  answers: new Map<string, AnswerState>(),
  stopping: null,
  leading: null,
  listing: false,
};
