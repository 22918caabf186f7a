export type DenialReason =
  | 'url'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'name'
  | 'address'
  | 'unresolved'
  | 'header';

/** A request that was not sent, because of where it was to go. The message is safe to show to an administrator. */
export class EgressDeniedError extends Error {
  override readonly name = 'EgressDeniedError';
  readonly reason: DenialReason;

  constructor(reason: DenialReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
