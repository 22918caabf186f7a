/** What somebody asked for: to be written to when a turn is finished, or asks them something. */
export interface ReadyMail {
  /** The turn that ran when they asked. */
  readonly sequence: number;
  readonly address: string;
  readonly language: string;
  /** The site on which the conversation is gone on with; null where nothing may be said of it. */
  readonly origin: string | null;
}

export interface StoredReadyMail extends ReadyMail {
  /** Of this ask alone: another one of the session has another. */
  readonly id: string;
  readonly sessionId: string;
  readonly tenantId: string;
  /** How often a server was asked to take it, and did not. */
  readonly attempts: number;
  /** Unix milliseconds by the store's clock. */
  readonly askedAt: number;
  readonly expiresAt: number;
}

/** A session has one at most, which goes with it. */
export interface ReadyMailStore {
  /** In place of the one before. False: there is no such session. */
  saveReadyMail(sessionId: string, mail: ReadyMail, ttlMs: number): Promise<boolean>;

  /**
   * Those that are to be looked at, one of each tenant but `exceptTenants`, the longest first. Nobody else is given one
   * of them within `leaseMs`.
   */
  claimReadyMails(query: {
    readonly leaseMs: number;
    readonly limit: number;
    readonly exceptTenants: readonly string[];
  }): Promise<readonly StoredReadyMail[]>;

  /** Lets somebody look at it again in `dueInMs`. */
  postponeReadyMail(id: string, dueInMs: number): Promise<void>;

  /** Of those who take it to send it, one is told true. It is there until it is removed or its time is over, and nobody is given it. */
  takeReadyMail(id: string): Promise<boolean>;

  /**
   * Makes what was taken, and nobody was sent, due again in `dueInMs`: nothing where it is gone, or another is in its
   * place. What was not tried counts as no attempt.
   */
  returnReadyMail(id: string, then: { readonly dueInMs: number; readonly wasTried: boolean }): Promise<void>;

  removeReadyMail(id: string): Promise<void>;

  /** Those whose time is over, also where a process of an earlier version has removed the session without them. */
  removeExpiredReadyMails(): Promise<void>;

  /** Nobody of a tenant's agents writes to these addresses any more. Resolves with how many there were. */
  eraseReadyMailsTo(tenantId: string, addresses: readonly string[]): Promise<number>;
}
