import type { LeaseRequest } from '../store/lease-store.ts';
import type { LeasedSession } from '../store/queue-store.ts';
import type { CommandBody, CommandOutcome } from './session-command.ts';

/** What a session asks of whoever runs its turns; `turn/scheduler.ts` is the one that does. */
export interface TurnRunner {
  readonly lease: LeaseRequest;
  /** Works off the queue of a session that was leased with the acceptance of item `accepted`. Returns at once. */
  run(leased: LeasedSession, accepted: string): void;
  /**
   * Executes the command at once when the session runs in this process; null when it does not. Resolves once the outcome is in the log,
   * with null when another process took the session before it could be.
   */
  execute(sessionId: string, body: CommandBody): Promise<CommandOutcome | null> | null;
}
