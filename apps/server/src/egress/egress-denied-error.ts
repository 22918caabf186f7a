export type DenialReason =
  | 'url'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'name'
  | 'address'
  | 'unresolved'
  | 'header';

/** A request that was not sent, because of where it was to go. */
export class EgressDeniedError extends Error {
  override readonly name = 'EgressDeniedError';
  readonly reason: DenialReason;
  /** The message and, where an operator can open the address, how: for administrators, and for no model or visitor. */
  readonly explanation: string;

  /** `opens`: the entry of `EGRESS_ALLOW` that opens it. */
  constructor(reason: DenialReason, message: string, opens?: string) {
    super(message);
    this.reason = reason;
    this.explanation =
      opens === undefined
        ? message
        : `${message} If it is yours, start the service with EGRESS_ALLOW=${opens}; several are separated by commas.`;
  }
}
