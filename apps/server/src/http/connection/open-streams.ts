import type { Response } from 'express';
import type { KeyPrincipal } from '../../auth/principal.ts';
import { quotaExceeded } from '../rejection-problem.ts';

/** A stream may end at any moment; whoever is refused asks again after this long. */
const retryAfterMs = 5_000;

type Limit = readonly [scope: string, limit: number];

/** How many streams and replies are open in this process, by session, address and key. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  /** Counts the response until it closes. Throws the 429 of the first limit that is reached, counting nothing. */
  admit(response: Response, principal: KeyPrincipal, sessionId: string | null): void {
    this.#admit(response, principal, [...limitsOf(principal), ...sessionLimit(principal, sessionId)]);
  }

  /** The same by its session alone, for a response that was admitted before there was one. */
  admitSession(response: Response, principal: KeyPrincipal, sessionId: string): void {
    this.#admit(response, principal, sessionLimit(principal, sessionId));
  }

  #admit(response: Response, principal: KeyPrincipal, limits: readonly Limit[]): void {
    for (const [scope, limit] of limits) {
      if ((this.#open.get(scope) ?? 0) < limit) continue;
      throw quotaExceeded({ scope, windowMs: 0, retryAfterMs }, principal.key);
    }
    if (response.closed) return;
    for (const [scope] of limits) this.#open.set(scope, (this.#open.get(scope) ?? 0) + 1);
    response.once('close', () => {
      for (const [scope] of limits) this.#leave(scope);
    });
  }

  #leave(scope: string): void {
    const left = (this.#open.get(scope) ?? 1) - 1;
    if (left > 0) this.#open.set(scope, left);
    else this.#open.delete(scope);
  }
}

function limitsOf({ key, agent, address }: KeyPrincipal): Limit[] {
  const { streamsPerKey, streamsPerAddress } = agent.settings.limits;
  const ofKey: Limit = [`streams:key:${key.id}`, streamsPerKey];
  return address === null ? [ofKey] : [ofKey, [`streams:address:${address}`, streamsPerAddress]];
}

function sessionLimit({ agent, address }: KeyPrincipal, sessionId: string | null): Limit[] {
  if (address === null || sessionId === null) return [];
  return [[`streams:session:${sessionId}`, agent.settings.limits.streamsPerSession]];
}
