import type { SessionRecord } from './session-store.ts';
import type { Page } from './settings-store.ts';
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
  /** In the first message, the visitor's name or the conversation's id; capitals of ASCII are as small letters. */
  readonly search?: string | undefined;
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

export interface ConversationStore {
  /**
   * Sessions that have a turn, in the order of the last turn within the time asked for, the latest first. Each is found
   * once, unless a turn begins meanwhile.
   */
  listConversations(query: ConversationQuery): Promise<Page<ConversationSummary>>;

  getConversation(sessionId: string): Promise<ConversationSummary | null>;

  /** The turns of a session, the first first. */
  listTurnsOf(
    sessionId: string,
    query: { readonly after: string | null; readonly limit: number },
  ): Promise<Page<TurnRecord>>;
}
