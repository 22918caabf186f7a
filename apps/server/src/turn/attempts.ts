import type { Logger } from '../logger.ts';
import { EventTooLargeError, StoreUnavailableError } from '../store/store-error.ts';
import type { Store } from '../store/store.ts';
import { BackOff } from './back-off.ts';
import type { TurnSource } from './turn-source.ts';

const longestPauseMs = 30_000;
/** A visitor waits for the store to come back. */
const longestPingPauseMs = 4_000;
/** How often one item is begun before its turn is failed. */
const maxAttempts = 8;

interface AttemptsDeps {
  readonly store: Pick<Store, 'ping'>;
  readonly logger: Logger;
}

/** The attempts at what is next in a session's queue, and the pauses after those that fail. */
export class Attempts {
  readonly #deps: AttemptsDeps;
  /** How often in a row what is next was begun. */
  #count = 0;
  /** The item of the last turn that had an event which the log does not take. */
  #tooLarge: string | null = null;
  readonly #pauses = new BackOff(longestPauseMs);
  readonly #pings = new BackOff(longestPingPauseMs);
  #ended = false;

  constructor(deps: AttemptsDeps) {
    this.#deps = deps;
  }

  /** Counts one more attempt. An error when what is next is to be failed with it instead. */
  begin(source: TurnSource): Error | null {
    if (source !== 'resume' && this.#count >= maxAttempts)
      return new Error(`The turn could not be written in ${maxAttempts} tries`);
    this.#count += 1;
    if (typeof source === 'object' && source.id === this.#tooLarge)
      return new EventTooLargeError('The turn begins with an event that is too large');
    return null;
  }

  /** The attempt before this one failed. */
  get isRepeated(): boolean {
    return this.#count > 1;
  }

  noteTooLarge(itemId: string | null): void {
    this.#tooLarge = itemId;
  }

  succeed(): void {
    this.#count = 0;
    this.#pauses.reset();
  }

  /** After a failure: resolves with true when it is time for another attempt, with false when there is to be none. */
  async next(): Promise<boolean> {
    // A store that takes the ping may refuse the commit all the same.
    await this.#pauses.pause();
    while (!this.#ended) {
      try {
        await this.#deps.store.ping();
        this.#pings.reset();
        return true;
      } catch (error) {
        if (!(error instanceof StoreUnavailableError))
          this.#deps.logger.warn({ err: error }, 'the store does not answer as it should; waiting for it');
        await this.#pings.pause();
      }
    }
    return false;
  }

  /** There is to be no other attempt. */
  end(): void {
    this.#ended = true;
    this.#pauses.end();
    this.#pings.end();
  }
}
