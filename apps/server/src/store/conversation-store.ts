import type { SessionRecord } from './session-store.ts';
import type { Page } from './page.ts';
import type { TurnRecord } from './turn-store.ts';

/** A session as those see it who answer for the agent. */
export interface ConversationSummary extends Pick<
  SessionRecord,
  'id' | 'tenantId' | 'agentId' | 'interface' | 'conversationId' | 'visitor' | 'createdAt' | 'activeAt'
> {
  /** `waiting`: it is open, and a turn of it waits for somebody. */
  readonly status: 'open' | 'waiting' | 'ended';
  /** How the first `message.received` begins; null before it, and where it is not among the first 50 events. */
  readonly firstMessage: string | null;
  readonly turns: number;
  /** `down` when any turn was rated so. */
  readonly rating: 'up' | 'down' | null;
}

export interface ConversationQuery {
  /** At most 100. */
  readonly agentIds: readonly string[];
  readonly status?: ConversationSummary['status'] | undefined;
  readonly rating?: 'up' | 'down' | undefined;
  /** Those of the Sessions interface only; `unassigned`: of them the open ones that nobody looks after. */
  readonly inbox?: 'all' | 'unassigned' | undefined;
  /** With a turn that began at or after this. */
  readonly from: number;
  /** With a turn that began earlier than this. */
  readonly before: number;
  /** The `next` of an earlier page. */
  readonly after: string | null;
  readonly limit: number;
  /** Turns that are looked at for one page: it may end with them, and have fewer conversations than it could. */
  readonly maxLookedAt: number;
}

/** As `saveSearched` was given them: one message has all of them. */
export interface MessageWords {
  readonly terms: readonly string[];
  /** What another of its terms begins with. */
  readonly beginning: string | null;
}

/** Which of the team's conversations: those that wait for a person, or that a member looks after, are open. */
export type InboxOf = NonNullable<ConversationQuery['inbox']> | 'waiting' | { readonly memberId: string };

export interface FoundConversationQuery extends Omit<ConversationQuery, 'inbox'> {
  readonly inbox?: InboxOf | undefined;
  readonly tenantId: string;
  readonly words: MessageWords;
  /** Messages with the words that are looked at for one page. */
  readonly maxLookedAt: number;
  /** Messages among which they are looked for. */
  readonly maxMessages: number;
}

export interface FoundConversation extends ConversationSummary {
  /** The last message with the words, cut. */
  readonly message: string;
}

export interface ConversationStore {
  /**
   * Sessions that have a turn, in the order of the last turn within the time asked for, the latest first. Each is found
   * once, unless a turn begins meanwhile.
   */
  listConversations(query: ConversationQuery): Promise<Page<ConversationSummary>>;

  /** Sessions that have a turn within the time asked for and a message with the words, in the order in which the last such became findable, the latest first. Each is found once, unless thousands of messages of others with the words lie between two of its own. */
  findConversations(query: FoundConversationQuery): Promise<Page<FoundConversation>>;

  getConversation(sessionId: string): Promise<ConversationSummary | null>;

  /** Those of these that exist, in any order; 200 ids at most. */
  getConversations(sessionIds: readonly string[]): Promise<readonly ConversationSummary[]>;

  /** The turns of a session, the first first. */
  listTurnsOf(
    sessionId: string,
    query: { readonly after: string | null; readonly limit: number },
  ): Promise<Page<TurnRecord>>;
}
