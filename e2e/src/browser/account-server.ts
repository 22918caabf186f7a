import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';

interface AccountServer {
  readonly host: string;
  /** Of its MCP server, which lets in whoever has signed in. */
  readonly url: string;
  close(): void;
}

/** A firm’s accounts, which one signs in to at a real authorization server, and an MCP server that speaks of them. */
export async function startAccountServer(): Promise<AccountServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  const url = `${origin}/mcp`;
  const provider = new Provider(origin, {
    scopes: ['openid', 'offline_access', 'accounts'],
    cookies: { keys: ['a key of a test'] },
    clientBasedCORS: () => false,
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, audience) => ({ scope: 'accounts', audience }),
        useGrantedResource: () => true,
      },
    },
  });
  const signIn = provider.callback();

  server.on('request', async (request, response) => {
    const json = (status: number, value: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value));
    const metadata = '/.well-known/oauth-protected-resource/mcp';
    if (request.url === metadata)
      return json(200, { resource: url, authorization_servers: [origin], scopes_supported: ['accounts'] });
    if (request.url !== '/mcp') return void signIn(request, response);
    const body = await text(request);
    const token = await provider.AccessToken.find(
      request.headers.authorization?.slice('Bearer '.length) ?? '',
    );
    if (!token)
      return json(401, {}, { 'www-authenticate': `Bearer resource_metadata="${origin}${metadata}"` });
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const tool = {
      name: 'my_account',
      title: 'My account',
      description: 'Says whose account it is.',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    };
    const result = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'accounts', version: '1' },
      },
      'tools/list': { tools: [tool] },
      'tools/call': { content: [{ type: 'text', text: `This is the account of ${token.accountId}.` }] },
    }[method];
    if (result === undefined) return json(400, {});
    json(200, { jsonrpc: '2.0', id, result });
  });
  return {
    host,
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
