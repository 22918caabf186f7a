import type { Response } from 'express';
import type { Caller } from './caller.ts';
import { quotaExceeded } from './refusal.ts';

/** A stream may end at any moment; whoever is refused asks again after this long. */
const retryAfterMs = 5_000;

/** How many streams and replies are open in this process, by session, address and key. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  /** Counts the response until it closes. Throws the 429 of the first limit that is reached, counting nothing. */
  admit(response: Response, caller: Caller, sessionId: string | null): void {
    const limits = limitsOf(caller, sessionId);
    for (const [scope, limit] of limits) {
      if ((this.#open.get(scope) ?? 0) < limit) continue;
      throw quotaExceeded({ scope, windowMs: 0, retryAfterMs }, caller.key);
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

function limitsOf(
  { key, agent, address }: Caller,
  sessionId: string | null,
): [scope: string, limit: number][] {
  const { limits } = agent.settings;
  const all: [string, number][] = [[`streams:key:${key.id}`, limits.streamsPerKey]];
  if (address === null) return all;
  all.push([`streams:address:${address}`, limits.streamsPerAddress]);
  if (sessionId !== null) all.push([`streams:session:${sessionId}`, limits.streamsPerSession]);
  return all;
}
