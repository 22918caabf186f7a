/** Somebody who is to be written to of an approval. */
export interface NewApprovalMail {
  readonly requestId: string;
  readonly address: string;
  /** Whose mailbox it is, or null. */
  readonly memberId: string | null;
  /** Only if it still waits then. */
  readonly isReminder: boolean;
  readonly dueInMs: number;
  /** From then on it is sent no more. */
  readonly endsInMs: number;
}

export interface ApprovalMail extends Omit<NewApprovalMail, 'dueInMs'> {
  readonly key: number;
  /** When the claim ends, in milliseconds by the store's clock. */
  readonly leasedUntil: number;
  readonly sessionId: string;
  readonly tenantId: string;
  /** How often it was claimed, this time included. */
  readonly attempts: number;
}

type Claim = Pick<ApprovalMail, 'key' | 'leasedUntil'>;

/**
 * Mails are added by the commit that asks: both are stored, or neither is. Of several that wait for one mailbox, about one
 * request, one is left, with the time of the earliest. They go with their conversation. What is asked for again while
 * somebody hands it over is due again, and their claim ends nothing any more.
 */
export interface ApprovalMailStore {
  /** Those that are due, one of each tenant but `exceptTenants`, the longest first. Nobody else is given one of them within `leaseMs`. */
  claimApprovalMails(query: {
    readonly leaseMs: number;
    readonly limit: number;
    readonly exceptTenants: readonly string[];
  }): Promise<readonly ApprovalMail[]>;

  /** It is sent, or is not to be sent any more. */
  removeApprovalMail(claim: Claim): Promise<void>;

  /** Lets somebody have it again in `dueInMs`. What was not tried counts as no attempt. */
  postponeApprovalMail(
    claim: Claim,
    then: { readonly dueInMs: number; readonly wasTried: boolean },
  ): Promise<void>;
}
