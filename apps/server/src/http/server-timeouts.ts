export interface ServerTimeouts {
  /** How long a client may take to send the head of a request, or anything at all. */
  readonly headMs: number;
  /** How long a client may take to send a whole request. */
  readonly requestMs: number;
  /** How long a client may take nothing of a response while something waits for it. */
  readonly writeMs: number;
  /** How long a connection that was refused stays open, so that its client gets the answer. */
  readonly lingerMs: number;
  /** How often these times are looked at. */
  readonly checkMs: number;
}

export const serverTimeouts: ServerTimeouts = {
  headMs: 10_000,
  requestMs: 30_000,
  writeMs: 30_000,
  lingerMs: 2_000,
  checkMs: 2_000,
};
