import type { Page } from './page.ts';

/** `waiting`: it ended because calls of it wait for a person or for the visitor's page. */
export type TurnStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** Who made it begin: somebody who wrote or answered, or the agent by itself when a time had come. */
export type TurnAuthor = 'visitor' | 'team' | 'agent';

/** What is known of a turn when it begins. */
export interface TurnStart {
  /** The number of the turn in its session. No two turns of a session have the same. */
  readonly sequence: number;
  readonly author: TurnAuthor;
  /** The agent's configuration revision that it runs with; null where the agent could not be read. */
  readonly configuration: string | null;
  readonly modelId: string | null;
  readonly startedAt: number;
}

export interface TurnEnd {
  readonly sequence: number;
  readonly status: Exclude<TurnStatus, 'running'>;
  /** Tokens of all its model calls, as providers told them, estimated where they did not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** When the first words or thoughts that a reader is shown came from the model; null when none did. */
  readonly firstDeltaAt: number | null;
  /** The model that answered, where it is another one than the turn began with. */
  readonly modelId?: string;
  readonly endedAt: number;
}

/** Times are Unix milliseconds of the process that ran it. */
export interface TurnRecord extends TurnStart, Omit<TurnEnd, 'status' | 'modelId' | 'endedAt'> {
  readonly sessionId: string;
  readonly agentId: string;
  readonly status: TurnStatus;
  /** The queued item that began it; null when no item did. */
  readonly itemId: string | null;
  /** Index of its `turn.started`. */
  readonly firstIndex: number;
  /** Index of the last event of the commit that ended it; null while it runs. */
  readonly lastIndex: number | null;
  readonly endedAt: number | null;
}

export interface TurnQuery {
  readonly agentId: string;
  /** Of sessions that wait for somebody only. */
  readonly waiting?: true;
  /** Those that began at or after this. */
  readonly from: number;
  /** Those that began earlier than this. */
  readonly before: number;
  /** The `next` of an earlier page. */
  readonly after: string | null;
  readonly limit: number;
}

export interface TurnStore {
  /** The turns of an agent, the last that began first. A removed session has none. */
  listTurns(query: TurnQuery): Promise<Page<TurnRecord>>;

  /** How the turn of this number in a session stands; null: there is none. */
  turnStatus(sessionId: string, sequence: number): Promise<TurnStatus | null>;
}
