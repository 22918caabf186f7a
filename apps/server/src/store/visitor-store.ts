import type { SessionRecord } from './session-store.ts';
import type { Page } from './page.ts';

export interface VisitorSession extends Pick<SessionRecord, 'id' | 'status' | 'createdAt' | 'activeAt'> {
  /** The text of the first `message.received`; null before it, and where it is not among the first 50 events. */
  readonly firstMessage: string | null;
}

export interface VisitorQuery extends Pick<SessionRecord, 'tenantId' | 'agentId'> {
  readonly visitor: string;
  /** The `next` of an earlier page. */
  readonly after: string | null;
  readonly limit: number;
}

export interface VisitorStore {
  /** Binds a session to a visitor for good. False when it belongs to another already, or does not exist. */
  assignVisitor(sessionId: string, visitor: string): Promise<boolean>;

  /**
   * The sessions of one visitor, newest first; those that were reset are left out. At most `limit`, and fewer where
   * their first messages would take more than `maxPageBytes`.
   */
  listVisitorSessions(query: VisitorQuery): Promise<Page<VisitorSession>>;
}
