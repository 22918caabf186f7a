import { defaultPlatform } from '@parley/protocol/paths';
import { visitorTokenHeader } from '@parley/protocol/visitor-token-header';
import type { Connection } from './connection.ts';

/** Asks the tenant's server for a token that says who the visitor is. */
export type GetVisitorToken = () => string | Promise<string>;

/**
 * The connection of an identified visitor: every request says who they are. The token is asked for once and kept;
 * when the service does not take it any more it is asked for anew, and the request repeated once. A request that is
 * aborted while it waits for the token, as one is that takes too long, has the next one ask again.
 */
export function withVisitorToken(
  connection: Connection,
  getVisitorToken: GetVisitorToken,
): Connection & { fetch: typeof fetch } {
  const { fetch: send = fetch, platform = defaultPlatform } = connection;
  const header = visitorTokenHeader(platform);
  let current: Promise<string> | undefined;
  /** Somebody has waited for it in vain; it may come yet. */
  let late: Promise<string> | undefined;

  const token = (): Promise<string> => {
    if (current) return current;
    const next = Promise.resolve().then(getVisitorToken);
    const asked = late ? Promise.race([late.catch(() => next), next]) : next;
    current = asked;
    // A failed token is asked for again by the next request. Of two that are asked for, neither counts once the later one failed.
    Promise.all([asked, next]).catch(() => drop(asked));
    return asked;
  };
  const drop = (refused: Promise<string>) => {
    if (current === refused) current = late = undefined;
  };

  return {
    ...connection,
    async fetch(input, init) {
      const waited = async (asked: Promise<string>, signal?: AbortSignal | null) => {
        signal?.throwIfAborted();
        const over = new AbortController();
        const aborted = new Promise<never>((_, reject) => {
          const leave = () => {
            // The next request asks for another.
            if (current === asked) [current, late] = [undefined, asked];
            reject(signal?.reason as Error);
          };
          signal?.addEventListener('abort', leave, over);
        });
        try {
          return await Promise.race([asked, aborted]);
        } finally {
          over.abort();
        }
      };
      const attempt = async (asked: Promise<string>) => {
        const headers = new Headers(init?.headers);
        headers.set(header, await waited(asked, init?.signal));
        return send(input, { ...init, headers });
      };
      const first = token();
      const response = await attempt(first);
      if (response.status !== 401 || !(await isTokenRefused(response))) return response;
      drop(first);
      return attempt(token());
    },
  };
}

async function isTokenRefused(response: Response): Promise<boolean> {
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return String(Object(problem).code).startsWith('VISITOR_TOKEN_');
}
