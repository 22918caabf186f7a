/** One attempt of a client to have something done. */
export interface Operation {
  readonly interface: 'sessions' | 'chat';
  readonly apiKey: string;
  /** Attempts that repeat one another share it; null for one that is never repeated. */
  readonly idempotencyKey: string | null;
  /** The message sent, unlike any other of the history. */
  readonly text: string | null;
  /** The request it answers. */
  readonly requestId: string | null;
  /** `unknown`: no answer, or one that does not say whether it was accepted. */
  readonly outcome: 'ok' | 'refused' | 'unknown';
  /** Milliseconds. */
  readonly started: number;
  readonly ended: number;
}

/** One connection of a reader, and the lines it got. */
export interface Connection {
  readonly tenant: string;
  readonly session: string;
  readonly reader: string;
  readonly startIndex: number;
  readonly lines: readonly string[];
}

/** What the endpoint behind a tool has noted of one request. */
export interface Delivery {
  readonly tool: string;
  /** The argument `order` of the call, unlike that of any other call of the tool. */
  readonly order: string;
  readonly idempotencyKey: string | null;
}

export interface ToolPolicy {
  readonly idempotent: boolean;
  readonly approval: boolean;
}

/** Everything seen of a service from outside, until every session was at rest. */
export interface History {
  readonly operations: readonly Operation[];
  readonly connections: readonly Connection[];
  /** Every session's log, read from 0 at the end, without cumulative text. */
  readonly logs: ReadonlyMap<string, readonly string[]>;
  readonly deliveries: readonly Delivery[];
  readonly tools: Readonly<Record<string, ToolPolicy>>;
  /** A text per tenant that only its own conversations hold. */
  readonly canaries: Readonly<Record<string, string>>;
}

/** A broken invariant. */
export interface Violation {
  readonly invariant:
    | 'durable'
    | 'no phantom'
    | 'prefix'
    | 'monotonic reader'
    | 'turn shape'
    | 'tool effect'
    | 'follow-ups'
    | 'isolation'
    | 'approval'
    | 'quota';
  readonly detail: string;
}
