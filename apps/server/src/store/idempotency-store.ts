export interface IdempotencyKey {
  /** Key, route and conversation, hashed together. */
  readonly scope: string;
  /** Hash of the request's body. */
  readonly request: string;
  /** What a repeat needs to find the first answer. */
  readonly result: unknown;
  /** How long a repeat is recognised. */
  readonly ttlMs: number;
}

export interface IdempotencyStore {
  /**
   * Drops what is remembered of a request, so that the same one is accepted once more: for a turn that failed. Of two
   * repeats at once the second leaves what the first was accepted as: it names the `result` that it has found.
   */
  deleteIdempotencyKey(scope: string, result: unknown): Promise<void>;
}
