import { tokenMeter } from '../session/token-reservation.ts';
import type { Commit, Store } from '../store/store.ts';
import type { AgentInUse } from './context.ts';

/** The agent has no tokens left for today. */
export class TokensUsedUpError extends Error {
  override readonly name = 'TokensUsedUpError';
}

interface Options {
  readonly store: Store;
  readonly sessionId: string;
  readonly agent: AgentInUse;
  /** The transaction that accepted the item has just checked the counter, so the first call is not checked again. */
  readonly granted: boolean;
}

/** The agent's tokens of the day: checked before every model call of a turn; what a call used is counted with the next commit. */
export class TokenBudget {
  readonly #options: Options;
  #granted: boolean;
  /** Used by calls that no commit has counted yet. */
  #uncounted = 0;
  /** The counter as the last commit told it; null: not known. */
  #used: number | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#granted = options.granted;
  }

  /** Throws before a call when the day's tokens are used up. */
  async admitCall(): Promise<void> {
    const { store, sessionId, agent } = this.#options;
    const granted = this.#granted;
    this.#granted = false;
    if (granted) return;
    const used = this.#used ?? (await store.used(sessionId, tokenMeter(agent.id), Date.now()));
    if (used + this.#uncounted < agent.settings.limits.tokensPerDay) return;
    throw new TokensUsedUpError(`Agent ${agent.id} has used ${used} tokens today.`);
  }

  add(tokens: number): void {
    this.#uncounted += tokens;
  }

  /** For the next commit, which counts what was used since the last. */
  spend(): Pick<Commit, 'spend'> {
    const amount = this.#uncounted;
    this.#uncounted = 0;
    return amount > 0 ? { spend: [{ ...tokenMeter(this.#options.agent.id), amount }] } : {};
  }

  /** Takes the counter as the last commit answered it. */
  counted(used: number | undefined): void {
    this.#used = used ?? null;
  }
}
