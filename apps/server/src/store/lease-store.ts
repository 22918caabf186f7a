/** The right to append to one session. Every acquisition raises `epoch`; older epochs are rejected from then on. */
export interface Lease {
  readonly sessionId: string;
  readonly epoch: number;
}

export interface LeaseRequest {
  /** The process that asks; never the same as another's. */
  readonly owner: string;
  /** How long the lease lasts unless it is renewed. */
  readonly leaseMs: number;
}

export interface LeaseStore {
  /**
   * Takes the lease of an open session whose lease is free or, of another owner, over. Null when somebody holds it.
   * An owner never takes a session from itself: what it holds stays as acquired, however late it renews.
   */
  acquireLease(sessionId: string, request: LeaseRequest): Promise<Lease | null>;

  /**
   * Open sessions that `owner` may take over, oldest activity first: a lease of another that ran out without
   * `releaseLease`, queued items that nobody holds, or `wakeAt` has come.
   */
  listRunnable(query: { owner: string; limit: number }): Promise<readonly string[]>;

  /** Prolongs the leases that `owner` still holds: they last `leaseMs` from now on. */
  renewLeases(request: LeaseRequest): Promise<void>;

  /**
   * Lets go of the lease unless an item is queued or a command waits. False when so: the caller keeps it and goes on.
   * Also false, and harmless, when the lease is no longer current.
   */
  releaseLease(lease: Lease): Promise<boolean>;

  /**
   * Lets the lease run out at once, whatever waits, as that of an owner that died: `listRunnable` names the session to
   * everybody, its last owner included, and nothing prolongs the lease. Harmless when it is no longer current.
   */
  abandonLease(lease: Lease): Promise<void>;
}
