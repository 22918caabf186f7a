/** How long a provider may take, in milliseconds. */
export interface ModelTiming {
  /** From the request to the first part of its stream. */
  readonly firstChunk: number;
  /** Between two parts. */
  readonly stall: number;
  /** From the first attempt until the last may still show a first part. */
  readonly retryBudget: number;
  /** The mean pause before the second attempt; it doubles with each. */
  readonly backoff: number;
}

export const providerTiming: ModelTiming = {
  firstChunk: 60_000,
  stall: 60_000,
  retryBudget: 60_000,
  backoff: 1_000,
};
