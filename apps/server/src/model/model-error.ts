/** A model call that failed. `message` is for the operator's log; visitors are shown a text of our own. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: 'refused' | 'rate-limited' | 'unreachable' | 'stalled' | 'malformed' | 'misconfigured';

  constructor(kind: ModelError['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
