/** A model call that failed. `message` is for the operator's log; visitors are shown a text of our own. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind:
    | 'refused'
    | 'rate-limited'
    | 'unreachable'
    | 'stalled'
    | 'malformed'
    /** A setting is none that the provider knows. */
    | 'misconfigured'
    /** The message names the setting. */
    | 'setting-missing'
    | 'key-rejected'
    | 'not-found'
    /** The provider's address is none that the service may reach. */
    | 'egress-denied'
    /** The prompt is longer than the model takes. Only before the first part of a reply. */
    | 'too-long';
  /** With `too-long`: how many tokens the model takes, where the provider says so. */
  readonly contextTokens: number | undefined;

  constructor(
    kind: ModelError['kind'],
    message: string,
    { contextTokens, ...options }: ErrorOptions & { contextTokens?: number | undefined } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.contextTokens = contextTokens;
  }
}
