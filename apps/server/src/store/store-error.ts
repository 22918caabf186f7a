/** The claim is over: somebody else runs the session. Nothing was written. */
export class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** An event of more than `maxEventBytes`: a fault of the writer, who keeps within it. Nothing was written. */
export class EventTooLarge extends Error {
  override readonly name = 'EventTooLarge';
}

/** The engine cannot write at the moment (full disk, read-only file, lost connection). Nothing was written. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
