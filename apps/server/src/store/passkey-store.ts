/** A passkey of a member. */
export interface PasskeyRecord {
  readonly id: string;
  readonly memberId: string;
  readonly name: string;
  /** As the authenticator calls it, base64url. Unique. */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** How often the authenticator says that it was used; 0 from those that do not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
}

interface PasskeyChallenge {
  readonly challenge: string;
  /** Whom it was given to, to add a passkey; null: anybody, to sign in. */
  readonly memberId: string | null;
}

/** What an authenticator is to sign. */
export interface PasskeyChallengeStore {
  /** Removes those whose time is over. */
  save(challenge: PasskeyChallenge, ttlMs: number): Promise<void>;
  /** Removes it; false when there is none, or its time is over. Of those who take one at once, one has it. */
  take(challenge: PasskeyChallenge): Promise<boolean>;
}
