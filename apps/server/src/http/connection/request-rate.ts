import type { KeyPrincipal } from '../../auth/principal.ts';
import { quotaExceeded } from '../rejection-problem.ts';

const windowMs = 60_000;
/** Addresses counted at once; the one counted first makes room. */
const maxAddresses = 100_000;

/**
 * Requests of every kind by address and minute, in this process: what they protect is its time, and to count them in
 * the store would cost more than most of them do.
 */
export class RequestRate {
  #window = 0;
  #counts = new Map<string, number>();

  /** Counts the request. Throws the 429 when its address has had its share of the minute. */
  admit({ key, agent, address }: Pick<KeyPrincipal, 'key' | 'agent' | 'address'>, now: number): void {
    if (address === null) return;
    const window = Math.floor(now / windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts = new Map();
    }
    const count = this.#counts.get(address) ?? 0;
    if (count >= agent.settings.limits.requestsPerAddressPerMinute) {
      const scope = `requests:address:${address}`;
      throw quotaExceeded({ scope, windowMs, retryAfterMs: (window + 1) * windowMs - now }, key);
    }
    if (count === 0 && this.#counts.size >= maxAddresses) {
      const [oldest] = this.#counts.keys();
      if (oldest !== undefined) this.#counts.delete(oldest);
    }
    this.#counts.set(address, count + 1);
  }
}
