import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

interface AuthorizationServer {
  readonly issuer: string;
  readonly host: string;
  /** What was asked of it, as `POST /token`. */
  readonly asked: readonly string[];
  /** The access tokens that it has given and not taken back are for this resource. */
  readonly accepts: (token: string | undefined, resource: string) => Promise<boolean>;
  /** Forgets whom it has registered, as one does that keeps clients in its memory and starts anew. */
  forgetClients(): Promise<void>;
  /** Takes back all that somebody has agreed to. */
  forget(accountId: string): Promise<void>;
  close(): void;
}

interface AuthorizationServerOptions {
  /** Answers for addresses that are nowhere: of documents that clients are known by. */
  readonly fetchDocument?: (url: string) => Promise<Response>;
  /** It knows this client and takes no others. */
  readonly client?: { readonly id: string; readonly secret: string; readonly redirectUri: string };
  /** Seconds that an access token is good for. */
  readonly tokenSeconds?: number;
}

/** A certified authorization server of others, on this machine; whoever comes may sign in with any name. */
export async function startAuthorizationServer({
  fetchDocument,
  client,
  tokenSeconds = 3_600,
}: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const asked: string[] = [];
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `http://${host}`;
  const provider = new Provider(issuer, {
    scopes: ['openid', 'offline_access', 'tools'],
    features: {
      registration: { enabled: client === undefined },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, audience) => ({
          scope: 'tools',
          audience,
          accessTokenTTL: tokenSeconds,
          accessTokenFormat: 'opaque',
        }),
        useGrantedResource: () => true,
      },
      ...(fetchDocument && {
        clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      }),
    },
    ...(fetchDocument && {
      fetch: (url) => fetchDocument(url instanceof Request ? url.url : url.toString()),
    }),
    ...(client && {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [client.redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
    }),
    clientBasedCORS: () => false,
    cookies: { keys: ['a key of a test'] },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  });
  provider.use(async (context, next) => {
    asked.push(`${context.method} ${context.path}`);
    await next();
  });
  const clients: string[] = [];
  provider.on('registration_create.success', (_context, { clientId }) => void clients.push(clientId));
  // Its types leave it out.
  const registered = provider.Client as unknown as Pick<typeof provider.Grant, 'adapter'>;
  const grants = new Map<string, string[]>();
  provider.on('grant.success', ({ oidc: { account, entities } }) => {
    const grantId = entities.Grant?.jti;
    if (account && grantId)
      grants.set(account.accountId, [...(grants.get(account.accountId) ?? []), grantId]);
  });
  const handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
  return {
    issuer,
    host,
    asked,
    accepts: async (token, resource) => {
      const found = token === undefined ? undefined : await provider.AccessToken.find(token);
      return found !== undefined && [found.aud].flat().includes(resource) && !found.isExpired;
    },
    async forgetClients() {
      for (const id of clients) await registered.adapter.destroy(id);
    },
    async forget(accountId) {
      for (const grantId of grants.get(accountId) ?? []) {
        await provider.Grant.adapter.destroy(grantId);
        await provider.RefreshToken.revokeByGrantId(grantId);
      }
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
