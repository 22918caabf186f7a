import { SignInError } from '../../sign-in/sign-in-error.ts';
import { McpError } from './mcp-error.ts';

type Fetch = typeof globalThis.fetch;

/** The token that a server is shown, another one than `rejected`; null: none. Throws `SignInError` where somebody has to sign in first. */
export type Bearer = (rejected: string | null) => Promise<string | null>;

/** `fetch` that shows a token, and once more another one where the first is not taken any more. */
export function withBearer(fetch: Fetch, bearer: Bearer): Fetch {
  return async (input, init) => {
    const token = await opened(bearer, null);
    const response = await fetch(input, bearing(init, token));
    if (response.status !== 401) return response;
    if (token === null) {
      await response.body?.cancel();
      throw new McpError('unauthorized', 'The server answered 401: it asks for a token, or for a sign-in.');
    }
    const other = await opened(bearer, token);
    if (other === token) return response;
    await response.body?.cancel();
    return fetch(input, bearing(init, other));
  };
}

function bearing(init: RequestInit | undefined, token: string | null): RequestInit {
  const headers = new Headers(init?.headers);
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers: Object.fromEntries(headers) };
}

async function opened(bearer: Bearer, rejected: string | null): Promise<string | null> {
  try {
    return await bearer(rejected);
  } catch (error) {
    throw error instanceof SignInError ? ofSignIn(error) : error;
  }
}

/** Who is signed in, and whose token cannot be renewed for now, has nothing to sign in for. */
export function ofSignIn({ code, message }: SignInError): McpError {
  return new McpError(code === 'failed' || code === 'denied' ? code : 'unauthorized', message);
}
