import type { Page } from './page.ts';
import type { NewDelivery } from './webhook-store.ts';

/** What a visitor thought of a turn; `rating` null takes it back. */
export interface TurnFeedback {
  readonly turnId: string;
  readonly rating: 'up' | 'down' | null;
  readonly comment: string | null;
  readonly at: number;
}

export interface FeedbackRecord extends TurnFeedback {
  readonly sessionId: string;
  readonly rating: 'up' | 'down';
}

export interface FeedbackQuery {
  readonly agentId: string;
  /** The `next` of an earlier page. */
  readonly after: string | null;
  readonly limit: number;
}

export interface FeedbackStore {
  /**
   * Keeps what was thought of a turn, in place of what was kept before, and what webhooks are told of it; of what is
   * taken back, or was kept just so before, they are told nothing. False when there is no such session.
   */
  saveFeedback(
    sessionId: string,
    feedback: TurnFeedback,
    deliveries?: readonly NewDelivery[],
  ): Promise<boolean>;

  /** What was thought of an agent's turns, in the order in which it was first said. */
  listFeedback(query: FeedbackQuery): Promise<Page<FeedbackRecord>>;

  /** The same of the turns of one session. */
  listSessionFeedback(
    query: Omit<FeedbackQuery, 'agentId'> & { readonly sessionId: string },
  ): Promise<Page<FeedbackRecord>>;
}
