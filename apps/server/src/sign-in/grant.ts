import { customFetch, type TokenEndpointResponse } from 'oauth4webapi';
import { insecureIf } from './discover.ts';
import { oauthFetch } from './oauth-fetch.ts';
import type { Grant } from './sign-in-secrets.ts';

/** A token that is about to expire would do so on its way. */
const earlyMs = 30_000;

export const isFresh = ({ expiresAt }: Grant): boolean =>
  expiresAt === null || expiresAt - earlyMs > Date.now();

export function grantOf(
  { access_token, refresh_token, expires_in }: TokenEndpointResponse,
  { client, server, resource, refreshToken }: Pick<Grant, 'client' | 'server' | 'resource' | 'refreshToken'>,
): Grant {
  return {
    client,
    server,
    resource,
    accessToken: access_token,
    refreshToken: refresh_token ?? refreshToken,
    expiresAt: expires_in === undefined ? null : Date.now() + expires_in * 1_000,
  };
}

/** How the server of an address is asked for tokens. */
export const tokenRequestOptions = (fetch: typeof globalThis.fetch, url: string, signal: AbortSignal) => ({
  [customFetch]: oauthFetch(fetch, signal),
  ...insecureIf(new URL(url)),
});
