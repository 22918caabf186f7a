import { tokenMeter } from '../limit/token-reservation.ts';
import type { Commit } from '../store/event-store.ts';
import type { Store } from '../store/store.ts';
import type { Turn } from '../session/state/phase.ts';
import type { AgentInUse } from './agent-runtime.ts';

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
  /** Of the turn, where it is one that another process began. */
  readonly usage: Turn['usage'];
}

/** The agent's tokens of the day: checked before every model call of a turn; what a call used is counted with the next commit. */
export class TokenBudget {
  readonly #options: Options;
  #granted: boolean;
  /** Used by calls that no commit has counted yet. */
  #uncounted = 0;
  #usage: Turn['usage'];
  /** The counter as the last commit told it; null: not known. */
  #used: number | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#granted = options.granted;
    this.#usage = options.usage;
  }

  /** Throws before a call when the day's tokens are used up. */
  async admitCall(): Promise<void> {
    const { store, sessionId, agent } = this.#options;
    const granted = this.#granted;
    this.#granted = false;
    if (granted) return;
    const used = this.#used ?? (await store.readQuota(sessionId, tokenMeter(agent.id)));
    if (used + this.#uncounted < agent.settings.limits.tokensPerDay) return;
    throw new TokensUsedUpError(`Agent ${agent.id} has used ${used} tokens today.`);
  }

  /** What the turn has used so far, by every process that has run it. */
  get usage(): Turn['usage'] {
    return this.#usage;
  }

  add(input: number, output: number): void {
    this.#uncounted += input + output;
    const { inputTokens, outputTokens } = this.#usage;
    this.#usage = { inputTokens: inputTokens + input, outputTokens: outputTokens + output };
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
