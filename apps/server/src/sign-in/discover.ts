import {
  allowInsecureRequests,
  type AuthorizationServer,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from 'oauth4webapi';
import { z } from 'zod';
import type { OAuthFetch } from './oauth-fetch.ts';
import { SignInError } from './sign-in-error.ts';

const maxScopes = 100;
const text = z.string().max(2_000);
const resourceSchema = z.object({
  resource: text,
  authorization_servers: z.array(text).max(20).optional(),
  scopes_supported: z.array(text).max(maxScopes).optional(),
});

/** Where one signs in for a server of tools, and what for. */
export interface Discovered {
  readonly server: AuthorizationServer;
  /** As the server of tools calls itself (RFC 8707). */
  readonly resource: string;
  readonly scope: string | null;
}

/** Asks a server of tools who lets others in (RFC 9728), and that one where one signs in (RFC 8414, OpenID Connect): the first that it names, or only `expected`. */
export async function discover(
  serverUrl: string,
  ask: OAuthFetch,
  expected: string | null = null,
): Promise<Discovered> {
  const url = new URL(serverUrl);
  const challenge = await challengeOf(url, ask);
  const metadata = await resourceMetadata(url, challenge.metadataUrl, ask);
  // A server of before RFC 9728 signs people in itself.
  const named = metadata?.authorization_servers ?? [];
  const issuers = named.length === 0 ? [url.origin] : named;
  const issuer = URL.parse((expected === null ? issuers[0] : issuers.find(isAt(expected))) ?? '');
  if (issuer === null && expected !== null) throw isAnother(url, expected);
  if (issuer === null || !isUsable(issuer, url))
    throw new SignInError('failed', `${url.host} names an authorization server that cannot be used.`);
  const server = await serverMetadata(issuer, url, ask);
  // As RFC 8414 has it, letter by letter.
  if (expected !== null && server.issuer !== expected) throw isAnother(url, expected);
  const supported = metadata?.scopes_supported?.join(' ');
  const scope = withRefresh(challenge.scope ?? (supported || null), server);
  return { server, resource: metadata?.resource ?? withoutFragment(url), scope };
}

/** What is not encrypted is allowed only where the connection itself is not. */
export const insecureIf = (serverUrl: URL) => ({ [allowInsecureRequests]: serverUrl.protocol === 'http:' });

const isUsable = ({ protocol, username, password }: URL, serverUrl: URL): boolean =>
  (protocol === 'https:' || (protocol === 'http:' && serverUrl.protocol === 'http:')) &&
  username === '' &&
  password === '';

/** Whether a server is asked at the same address, as `https://a.example` is at `https://a.example/`. */
const isAt =
  (expected: string) =>
  (named: string): boolean =>
    URL.parse(named)?.href === URL.parse(expected)?.href;

const isAnother = (serverUrl: URL, expected: string): SignInError =>
  new SignInError(
    'failed',
    `${serverUrl.host} does not name ${expected.slice(0, 200)} as its authorization server, and the client of this service is known to that one alone.`,
  );

function withoutFragment(url: URL): string {
  const plain = new URL(url);
  plain.hash = '';
  return plain.pathname === '/' && plain.search === '' ? plain.origin : plain.href;
}

async function challengeOf(
  url: URL,
  ask: OAuthFetch,
): Promise<{ readonly metadataUrl: URL | null; readonly scope: string | null }> {
  const response = await ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  const header = response.status === 401 ? (response.headers.get('www-authenticate') ?? '') : '';
  const named = (parameter: string) =>
    new RegExp(`[\\s,]${parameter}="([^"]{1,2000})"`, 'i').exec(header)?.[1] ?? null;
  const metadataUrl = URL.parse(named('resource_metadata') ?? '');
  // Whoever answers for the server may not send elsewhere.
  return { metadataUrl: metadataUrl?.origin === url.origin ? metadataUrl : null, scope: named('scope') };
}

type ResourceMetadata = z.infer<typeof resourceSchema>;

async function resourceMetadata(
  url: URL,
  named: URL | null,
  ask: OAuthFetch,
): Promise<ResourceMetadata | null> {
  const wellKnown = '/.well-known/oauth-protected-resource';
  const path = url.pathname.replace(/\/$/, '');
  const places = named ? [named.href] : [`${url.origin}${wellKnown}${path}`, `${url.origin}${wellKnown}`];
  for (const place of new Set(places)) {
    const response = await ask(place, { headers: { accept: 'application/json' } });
    if (!response.ok) continue;
    const read = resourceSchema.safeParse(await response.json().catch(() => null));
    if (!read.success)
      throw new SignInError('failed', `${url.host} does not say as RFC 9728 has it who lets others in.`);
    if (!isFor(URL.parse(read.data.resource), url))
      throw new SignInError('failed', `${url.host} speaks for another server, which was not asked.`);
    return read.data;
  }
  return null;
}

/** A token for the whole of an origin, or for a path above, is one for what is below. */
function isFor(resource: URL | null, url: URL): boolean {
  if (resource?.origin !== url.origin) return false;
  const below = (path: string) => (path.endsWith('/') ? path : `${path}/`);
  return below(url.pathname).startsWith(below(resource.pathname));
}

async function serverMetadata(issuer: URL, serverUrl: URL, ask: OAuthFetch): Promise<AuthorizationServer> {
  for (const algorithm of ['oauth2', 'oidc'] as const) {
    const options = { algorithm, [customFetch]: ask, ...insecureIf(serverUrl) };
    const response = await discoveryRequest(issuer, options);
    if (response.status >= 400 && response.status <= 499) continue;
    const server = await processDiscoveryResponse(issuer, response);
    return usable(server, serverUrl);
  }
  throw new SignInError('failed', `${issuer.host} does not say how to sign in.`);
}

function usable(server: AuthorizationServer, serverUrl: URL): AuthorizationServer {
  const { host } = new URL(server.issuer);
  const pages = [server.authorization_endpoint, server.token_endpoint];
  const addresses = pages.map((page) => (page === undefined ? null : URL.parse(page)));
  if (!addresses.every((address) => address !== null && isUsable(address, serverUrl)))
    throw new SignInError('failed', `${host} does not say how to sign in.`);
  if (!server.code_challenge_methods_supported?.includes('S256'))
    throw new SignInError('failed', `${host} does not protect a sign-in by PKCE, so it is not used.`);
  return server;
}

/** Without a refresh token people would have to sign in again every hour. */
function withRefresh(scope: string | null, { scopes_supported }: AuthorizationServer): string | null {
  const scopes = new Set(scope?.split(' ').filter(Boolean).slice(0, maxScopes));
  if (scopes_supported?.includes('offline_access')) scopes.add('offline_access');
  return scopes.size === 0 ? null : [...scopes].join(' ');
}
