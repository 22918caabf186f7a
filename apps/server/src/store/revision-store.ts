import type { AuditRecord } from './audit-store.ts';
import type { AgentRecord } from './agent-record.ts';
import type { Page } from './page.ts';

/** Of one agent; the oldest make room. */
export const maxRevisions = 200;

/** Somebody who changed an agent, as they were called then; null: whoever holds the admin token. */
export type Author = { readonly id: string; readonly name: string } | null;

/** What was published of an agent at a time. `at` is in Unix milliseconds. */
export interface RevisionRecord {
  readonly revision: number;
  readonly at: number;
  readonly author: Author;
  readonly note: string | null;
  /** What it changed of the one before. */
  readonly fields: readonly string[];
  readonly name: string;
  /** As `AgentRecord.config`, without what applies at once. Null where what is stored is no JSON. */
  readonly config: unknown;
}

/** What is not published yet of an agent. */
export interface DraftRecord {
  readonly agentId: string;
  /** Another one with every change. */
  readonly version: string;
  /** The revision that it began from. */
  readonly base: number;
  readonly changedAt: number;
  readonly author: Author;
  readonly name: string;
  readonly config: unknown;
  /** Encrypted; null: those that are live. */
  readonly credentials: string | null;
}

export interface NewRevision {
  /** The number follows the agent's, in the same transaction. */
  readonly revision: RevisionRecord;
  /** What changes of the agent. */
  readonly fields: Partial<Pick<AgentRecord, 'name' | 'active' | 'config' | 'credentials'>>;
  /** The agent that they were made of: what applies at once is changed without another revision. */
  readonly before: Pick<AgentRecord, 'name' | 'active' | 'config' | 'credentials'>;
  /** The version of the draft that is published, and gone with it; null: none. A later version stays. */
  readonly draft: string | null;
}

export interface RevisionStore {
  /** Inserts an agent with its first revision. */
  begin(agent: AgentRecord, revision: RevisionRecord, change?: AuditRecord): Promise<void>;

  /**
   * Changes an agent and keeps what it became as its next revision, in one transaction with the entry of the log; null, and nothing done, when
   * the agent is gone, has another revision than the one before this, or is not as it was `before`.
   */
  publish(agentId: string, next: NewRevision, change?: AuditRecord): Promise<AgentRecord | null>;

  /** Latest first, without their `config`. */
  list(query: {
    readonly agentId: string;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<Page<Omit<RevisionRecord, 'name' | 'config'>>>;

  get(agentId: string, revision: number): Promise<RevisionRecord | null>;

  getDraft(agentId: string): Promise<DraftRecord | null>;

  /** In place of the version `before`, or of none; false, and nothing done, when it is not the one that is stored. */
  saveDraft(draft: DraftRecord, before: string | null, change?: AuditRecord): Promise<boolean>;

  /** Only in this version, where one is named; false, and nothing done, when there is none. */
  removeDraft(agentId: string, version?: string, change?: AuditRecord): Promise<boolean>;

  /** Those after this agent's, in the order of their agents. */
  listDrafts(query: {
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly DraftRecord[]>;
}
