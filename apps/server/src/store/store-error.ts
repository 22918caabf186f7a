/** The lease is over: somebody else runs the session. Nothing was written. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** An event of more than `maxEventBytes`: a fault of the writer, who keeps within it. Nothing was written. */
export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError';
}

/** The engine cannot write at the moment (full disk, read-only file, lost connection). Nothing was written. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}
