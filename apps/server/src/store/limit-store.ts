/** At most `limit` admissions of `scope` in any `windowMs`. */
export interface RateLimit {
  readonly scope: string;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * At most `limit` in the current window of `windowMs`, windows counted from the Unix epoch. One counter, so that a
 * generous quota costs the same however much of it is used; the price is that the edge of two windows admits twice.
 */
export interface Quota {
  readonly scope: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly amount: number;
}

/** A quota's counter: its scope, and the length of its windows. */
export type Meter = Pick<Quota, 'scope' | 'windowMs'>;

/** The scope that has no room, and when it has again. */
export interface Limited {
  readonly outcome: 'limited';
  readonly scope: string;
  readonly windowMs: number;
  readonly retryAfterMs: number;
}

export interface LimitStore {
  /** Counts every quota, or none when one of them has no room: then it says which. */
  countQuotas(quotas: readonly Quota[]): Promise<Limited | null>;

  /** The quota's counter, without the amount that the session itself has reserved of it. */
  readQuota(sessionId: string, meter: Meter): Promise<number>;
}
