export type RefusalReason =
  | 'url'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'name'
  | 'address'
  | 'unresolved'
  | 'header';

/** A request that was not sent, because of where it was to go. The message is safe to show to an administrator. */
export class EgressRefusedError extends Error {
  override readonly name = 'EgressRefusedError';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
