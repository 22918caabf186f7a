/** Something asked of a session that somebody holds: whoever holds it executes it. */
export interface SessionCommandRecord {
  readonly id: string;
  readonly sessionId: string;
  /** What is asked, as JSON. */
  readonly body: unknown;
}

export interface SessionCommand extends Pick<SessionCommandRecord, 'id' | 'body'> {
  /** For operators who look into the table. */
  readonly kind: string;
}

export type SendCommandResult =
  /** Stored for the holder of the lease, or for whoever takes it next. */
  | 'sent'
  /** Nobody holds the session and nothing is queued: nothing was stored. */
  | 'free'
  /** More wait already than a session may have. */
  | 'full'
  /** The session is not open, or does not exist. */
  | 'not-open';

/** What became of a command. */
export interface FinishedCommand {
  readonly id: string;
  readonly outcome: string;
}

export interface CommandStore {
  /**
   * Stores a command for an open session that is held or has items queued, and says in the same transaction whether it is. While a command
   * waits, the session's lease is not released. At most 100 wait; finished ones are forgotten after a minute, with the
   * session's next command.
   */
  sendCommand(sessionId: string, command: SessionCommand): Promise<SendCommandResult>;

  /** The session's commands that wait, oldest first. */
  listCommands(sessionId: string): Promise<readonly SessionCommandRecord[]>;

  /** The commands that wait for the sessions that `owner` holds, oldest first. */
  listHeldCommands(query: { owner: string; limit: number }): Promise<readonly SessionCommandRecord[]>;

  /** Null while the command waits, and when it is not known any more. */
  getCommandOutcome(id: string): Promise<string | null>;
}
