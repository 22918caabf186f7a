export interface HistoryEntry {
  /** The turn that said it. */
  readonly turn: number;
  /** A model message, as JSON. */
  readonly message: unknown;
}

export interface HistoryQuery {
  /** Entries of later turns only; -1 for all. */
  readonly afterTurn: number;
  /** The `next` of the page before, or null for the first. */
  readonly from: number | null;
}

export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** Of the entries' messages. */
  readonly bytes: number;
  readonly next: number | null;
}

export interface HistoryStore {
  /**
   * What the model has been told and has said in the turns after `afterTurn`, in the order it was added, withdrawn turns
   * left out. What came before is not read. A page has at most `maxPageBytes` of messages, or one message that alone
   * has more; `next` is null with the last.
   */
  readHistory(sessionId: string, query: HistoryQuery): Promise<HistoryPage>;
}
