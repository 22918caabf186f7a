import type { NewEvent } from '../store/event-store.ts';
import type { SessionStatus } from '../store/session-store.ts';

/** A turn, or the item of the queue that becomes one. */
export interface NamedTurn {
  readonly turnId?: string;
  readonly itemId?: string;
}

export interface SessionEnd {
  readonly events: readonly NewEvent[];
  readonly status: SessionStatus;
}

/** What is asked of whoever holds a session, as it is stored for them. */
export type CommandBody =
  /** Cancels the turn that runs, if it is the one named; a named item that waits, when its turn begins. */
  | ({ readonly kind: 'cancel' } & NamedTurn)
  /** The same of a turn that nobody reads in this process any more, unless somebody does in another. */
  | { readonly kind: 'abandon'; readonly itemId: string; readonly process: string }
  /** Cancels what runs and ends the session. */
  | ({ readonly kind: 'end' } & SessionEnd);

export type CommandOutcome =
  | 'cancelled'
  | 'no-active-turn'
  | 'still-read'
  /** The command ended the session. */
  | 'ended'
  /** Something else ended it. */
  | 'session-ended';
