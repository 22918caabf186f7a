import type { LeaseRequest } from '../store/lease-store.ts';
import type { LeasedSession } from '../store/queue-store.ts';
import type { CommandBody, CommandOutcome } from './session-command.ts';

/** The item that the lease came with. */
export interface AcceptedItem {
  readonly itemId: string;
  /** Settles when it is on disk, or nobody knows whether it is. */
  readonly stored: Promise<unknown>;
}

/** What a session asks of whoever runs its turns; `turn/scheduler.ts` is the one that does. */
export interface TurnRunner {
  readonly lease: LeaseRequest;
  /**
   * Works off the queue of a session that was leased with the acceptance of item `accepted`, which may still be on its
   * way to the disk. Returns at once.
   */
  run(leased: LeasedSession, accepted: AcceptedItem): void;
  /**
   * Executes the command at once when the session runs in this process; null when it does not. Resolves once the outcome is in the log,
   * with null when another process took the session before it could be.
   */
  execute(sessionId: string, body: CommandBody): Promise<CommandOutcome | null> | null;
}
