import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  dynamicClientRegistrationRequest,
  None,
  processDynamicClientRegistrationResponse,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { clientId, clientMetadata, redirectUri, type ServiceAddress } from './client-metadata.ts';
import { insecureIf } from './discover.ts';
import type { OAuthFetch } from './oauth-fetch.ts';
import { SignInError } from './sign-in-error.ts';
import type { SignInClient } from './sign-in-secrets.ts';

interface ChooseClientDeps {
  readonly address: ServiceAddress;
  readonly serverUrl: URL;
  readonly fetch: OAuthFetch;
}

/** Whom somebody has registered this service as, by hand. */
export interface RegisteredClient {
  readonly id: string;
  readonly secret: string | null;
  /** Of the authorization server where; no other is told of it. */
  readonly issuer: string;
}

interface Known {
  readonly registered: RegisteredClient | null;
  /** Whom it was when somebody began the last time. */
  readonly before: SignInClient | null;
}

/** Who this service is to an authorization server: whom somebody has registered it as, the document that it serves, else whom it was registered as, now or before. */
export async function chooseClient(
  server: AuthorizationServer,
  { registered, before }: Known,
  { address, serverUrl, fetch }: ChooseClientDeps,
): Promise<SignInClient> {
  const own = { issuer: server.issuer, redirectUri: redirectUri(address) };
  if (registered) return { ...registered, ...own, method: methodOf(server, registered), expiresAt: null };
  // Their ids are addresses that everybody can read.
  if (server.client_id_metadata_document_supported === true && address.publicUrl.startsWith('https:'))
    return { ...own, id: clientId(address), secret: null, method: 'none', expiresAt: null };
  const isSame = before?.issuer === own.issuer && before.redirectUri === own.redirectUri;
  if (isSame && (before.expiresAt === null || before.expiresAt > Date.now())) return before;
  const isClosed = () =>
    new SignInError(
      'failed',
      `${new URL(server.issuer).host} takes no clients that it does not know. Register this service there with the address ${own.redirectUri} to come back to, and enter the client id that it gives you.`,
    );
  if (server.registration_endpoint === undefined) throw isClosed();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const method = (['none', 'client_secret_basic', 'client_secret_post'] as const).find((each) =>
    methods.includes(each),
  );
  const response = await dynamicClientRegistrationRequest(
    server,
    { ...clientMetadata(address), token_endpoint_auth_method: method ?? 'none' },
    { [customFetch]: fetch, ...insecureIf(serverUrl) },
  );
  const made = await processDynamicClientRegistrationResponse(response).catch((error: unknown) => {
    // It registers only who shows a token of its own (RFC 7591, 3).
    throw error instanceof WWWAuthenticateChallengeError ? isClosed() : error;
  });
  const secret = typeof made.client_secret === 'string' ? made.client_secret : null;
  const given = made.token_endpoint_auth_method ?? method;
  const expiresAt = Number(made['client_secret_expires_at'] ?? 0) * 1_000;
  return {
    ...own,
    id: made.client_id,
    secret,
    method: secret === null ? 'none' : given === 'client_secret_post' ? given : 'client_secret_basic',
    expiresAt: secret === null || expiresAt === 0 ? null : expiresAt,
  };
}

function methodOf(
  { token_endpoint_auth_methods_supported: methods }: AuthorizationServer,
  { secret }: RegisteredClient,
): SignInClient['method'] {
  if (secret === null) return 'none';
  // As RFC 8414 has it where a server says nothing of it.
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? 'client_secret_basic' : 'client_secret_post';
}

/** How a client shows who it is. */
export function clientAuth({ method, secret }: SignInClient): ClientAuth {
  if (secret === null || method === 'none') return None();
  return method === 'client_secret_post' ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}
