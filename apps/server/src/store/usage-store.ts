/** Of a day, what the turns of one agent were that ran with one model. */
export interface TurnCounts {
  readonly agentId: string;
  /** Null where the agent could not be read. */
  readonly modelId: string | null;
  readonly status: string;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Milliseconds that half of the turns, and 19 of 20, took at most; null where there was none. */
export interface Latency {
  readonly p50: number | null;
  readonly p95: number | null;
}

export interface LatencyOfAgent {
  /** Null: of all agents together, where several had turns. */
  readonly agentId: string | null;
  /** From when a turn began to what a reader is shown first of its answer. */
  readonly firstDelta: Latency;
  /** Of a turn that was completed. */
  readonly wholeTurn: Latency;
}

interface CountOf<Name extends string> {
  readonly agentId: string;
  readonly name: Name;
  readonly count: number;
}

export interface DayUsage {
  readonly turns: readonly TurnCounts[];
  readonly latencies: readonly LatencyOfAgent[];
  /** Why turns failed, by the code of the cause; of the last 2,000 that did. */
  readonly failures: readonly CountOf<string>[];
  /** Turns that asked for an approval. */
  readonly approvals: readonly { readonly agentId: string; readonly count: number }[];
  /** Questions that no source answered, whatever became of them since. */
  readonly unanswered: readonly { readonly agentId: string; readonly count: number }[];
  /** What visitors thought on that day, of whatever turn. */
  readonly ratings: readonly CountOf<'up' | 'down'>[];
}

export interface UsageQuery {
  /** At most 100. */
  readonly agentIds: readonly string[];
  /** Unix milliseconds; turns that began at or after `from` and earlier than `before`. A day at most. */
  readonly from: number;
  readonly before: number;
}

export interface UsageStore {
  /**
   * What the agents' turns of a day were. Of removed sessions nothing is left but how many turns they had, what those
   * used, and how many questions were unanswered.
   */
  readUsage(query: UsageQuery): Promise<DayUsage>;
}
