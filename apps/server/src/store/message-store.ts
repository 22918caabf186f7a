/** The events that say something. */
export const searchedTypes = ['message.received', 'message.completed'] as const;

/** Characters of a message that are found. */
export const searchedLength = 20_000;

/** What somebody said in a conversation, not yet found by its words. */
export interface UnsearchedMessage {
  readonly index: number;
  /** Cut. */
  readonly text: string;
}

/** A part of a session's log in which nothing is found yet. */
export interface UnsearchedRange {
  readonly session: number;
  readonly tenantId: string;
  readonly visitor: string | null;
  readonly conversationId: string | null;
  readonly first: number;
  readonly last: number;
  /** Up to here `messages` has all that was said. */
  readonly until: number;
  readonly messages: readonly UnsearchedMessage[];
}

export interface SearchedRange extends Pick<UnsearchedRange, 'session' | 'first' | 'last' | 'until'> {
  readonly messages: readonly {
    readonly index: number;
    /** Behind the mark of their tenant, each once. */
    readonly terms: readonly string[];
  }[];
}

/**
 * The words of what was said. Whatever is appended is noted in the same transaction, and made findable afterwards by
 * whoever comes first. It goes with its session.
 */
export interface MessageStore {
  /** Parts of logs, those of the oldest sessions first: so many that they are read at once. */
  listUnsearched(): Promise<readonly UnsearchedRange[]>;

  /** What others have done meanwhile, and what is gone, is left as it is. */
  saveSearched(ranges: readonly SearchedRange[]): Promise<void>;
}
