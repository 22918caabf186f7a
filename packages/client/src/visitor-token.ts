import { defaultPlatform } from '@parley/protocol/paths';
import { visitorTokenHeader } from '@parley/protocol/session-headers';
import type { Connection } from './connection.ts';

/** Asks the tenant's server for a token that says who the visitor is. */
export type GetVisitorToken = () => string | Promise<string>;

/**
 * The connection of an identified visitor: every request says who they are. The token is asked for once and kept;
 * when the service does not take it any more it is asked for anew, and the request repeated once.
 */
export function withVisitorToken(
  connection: Connection,
  getVisitorToken: GetVisitorToken,
): Connection & { fetch: typeof fetch } {
  const { fetch: send = fetch, platform = defaultPlatform } = connection;
  const header = visitorTokenHeader(platform);
  let current: Promise<string> | undefined;

  const token = (): Promise<string> => {
    if (current) return current;
    const asked = Promise.resolve().then(getVisitorToken);
    current = asked;
    // What failed once may succeed the next time.
    asked.catch(() => drop(asked));
    return asked;
  };
  const drop = (refused: Promise<string>) => {
    if (current === refused) current = undefined;
  };

  return {
    ...connection,
    async fetch(input, init) {
      const attempt = async (asked: Promise<string>) => {
        const headers = new Headers(init?.headers);
        headers.set(header, await asked);
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
