/** Why a turn did not run to its end. */
export type Interruption = 'cancelled' | 'timed-out' | 'lease-lost' | 'unwritable' | 'stopping';

/** The reason with which a turn's signal is aborted. */
export class TurnInterruptedError extends Error {
  override readonly name = 'TurnInterruptedError';
  readonly reason: Interruption;
  constructor(reason: Interruption) {
    super(`The turn was interrupted: ${reason}.`);
    this.reason = reason;
  }
}

export function interruption(signal: AbortSignal): Interruption | null {
  return signal.reason instanceof TurnInterruptedError ? signal.reason.reason : null;
}
