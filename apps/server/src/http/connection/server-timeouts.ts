export interface ServerTimeouts {
  /** How long a client may take to send the head of a request, or anything at all. */
  readonly headMs: number;
  /** How long a client may send nothing more of a body that it has begun, or go on with one that is answered. */
  readonly bodyMs: number;
  /** How long a client may take to send a whole request. A file of 10 MiB then needs 0.7 Mbit/s. */
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
  bodyMs: 30_000,
  requestMs: 120_000,
  writeMs: 30_000,
  lingerMs: 2_000,
  checkMs: 2_000,
};
