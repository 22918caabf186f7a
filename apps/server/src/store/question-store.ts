import type { AuditRecord } from './audit-store.ts';
import type { Page } from './page.ts';

/** What was asked in a conversation and no source answered. */
export interface AskedQuestion {
  /** The same for questions that differ in nothing that matters. */
  readonly digest: string;
  readonly question: string;
  /** The number of the turn: a turn that is run again asks nothing new. */
  readonly turn: number;
  readonly at: number;
}

export interface OpenQuestion extends Pick<AskedQuestion, 'digest' | 'question' | 'at'> {
  readonly asked: number;
  /** One that asked it. */
  readonly sessionId: string;
}

/** Questions that belong to the conversations in which they were asked, and go with them. */
export interface QuestionStore {
  /**
   * Keeps the latest `keep` of the agent. What was asked in a session of the agent itself, and not of its draft, counts
   * for its day in `UsageStore`, whatever becomes of the question: the number says nothing of anybody.
   */
  saveQuestion(
    session: { readonly sessionId: string; readonly agentId: string },
    question: AskedQuestion,
    keep: number,
  ): Promise<void>;

  /** Each digest once, the one that was first asked last before the others. */
  listQuestions(query: {
    readonly agentId: string;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<Page<OpenQuestion>>;

  removeQuestion(agentId: string, digest: string, change?: AuditRecord): Promise<void>;
}
