import type { AuditRecord } from './audit-store.ts';
import type { Page } from './page.ts';

/** In place of a member's id where the holder of the admin token acts. */
export const automationId = 'automation';

/** Somebody of the team, by their id and as they were called then. */
export interface ThreadMember {
  readonly id: string;
  readonly name: string;
}

/** What a commit says of who answers. */
export interface ThreadChange {
  readonly holder: ThreadMember | null;
  /** The visitor waits for a person. */
  readonly isWaiting: boolean;
  /** Ids of those whom approvals were handed to that wait, in the order that they were asked for; nobody where it is left out. */
  readonly askedOf?: readonly string[];
}

/** A conversation as the team works on it. */
export interface ThreadRecord {
  readonly sessionId: string;
  /** Who answers instead of the agent. */
  readonly holder: ThreadMember | null;
  /** Whose it is to look after. */
  readonly assignee: ThreadMember | null;
  /** Since when the visitor has waited for a person. */
  readonly waitingSince: number | null;
  /** Whom it waits for among the team, where somebody was named: in a list of their own whoever asked for it, else the first. */
  readonly askedOf: ThreadMember | null;
  /** All of whom something is asked there, in any order. */
  readonly askedOfIds: readonly string[];
  readonly notes: number;
}

export interface ThreadQuery {
  readonly agentIds: readonly string[];
  /**
   * `waiting`: for a person, the one that has waited longest first; else whose it is, or of whom something is asked there,
   * the last that changed first.
   */
  readonly of: 'waiting' | { readonly memberId: string };
  /** The `next` of an earlier page. */
  readonly after: string | null;
  readonly limit: number;
}

/** What the team says to itself. Neither visitors nor models are ever shown it. */
export interface ThreadNote {
  readonly id: string;
  readonly author: ThreadMember;
  readonly text: string;
  readonly at: number;
}

/** Who answers, who looks after it and what they noted: it goes with the conversation. Where it has ended, nobody answers or waits. */
export interface InboxStore {
  /** Of open conversations. */
  listThreads(query: ThreadQuery): Promise<Page<ThreadRecord>>;

  /**
   * The ids of open conversations whose holder is no member any more, or one who may only look. Of what has ended only that
   * is gone through which a process of a version before has ended, or whose row was locked when the schema was changed.
   */
  listAbandonedThreads(query: {
    readonly after: string | null;
    readonly limit: number;
  }): Promise<Page<string>>;

  /** Those of these sessions of which there is something to say, in any order; 200 ids at most. */
  getThreads(sessionIds: readonly string[]): Promise<readonly ThreadRecord[]>;

  /** False when there is no such session. */
  assignThread(sessionId: string, assignee: ThreadMember | null, change?: AuditRecord): Promise<boolean>;

  /**
   * Lets `limit` conversations at most be nobody’s, of one assignee who is no member any more, or may only look: their ids,
   * or none once there is no such assignee.
   */
  unassignFormerMembers(limit: number): Promise<readonly string[]>;

  /** `full` when it would be more than `max`. */
  addNote(sessionId: string, note: ThreadNote, max: number): Promise<'added' | 'full' | 'missing'>;

  /** The first first. */
  listNotes(sessionId: string): Promise<readonly ThreadNote[]>;

  removeNote(sessionId: string, id: string, change?: AuditRecord): Promise<void>;
}
