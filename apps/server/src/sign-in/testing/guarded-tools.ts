import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface GuardedTools {
  readonly host: string;
  readonly url: string;
  /** The tokens of the calls of its tool that it has let in. */
  readonly calledWith: readonly string[];
  close(): void;
}

/** A server with one tool, `whoami`, that lets in only whoever shows a token that `isLetIn` knows. */
export async function startGuardedTools(
  issuer: string,
  isLetIn: (token: string | undefined, resource: string) => Promise<boolean>,
): Promise<GuardedTools> {
  const calledWith: string[] = [];
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}/mcp`;
  const metadataUrl = `http://${host}/.well-known/oauth-protected-resource/mcp`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, value: unknown, headers: Record<string, string> = {}) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value));
    if (`http://${host}${request.url}` === metadataUrl)
      return json(200, { resource: url, authorization_servers: [issuer], scopes_supported: ['tools'] });
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const token = request.headers.authorization?.replace('Bearer ', '');
    if (!(await isLetIn(token, url)))
      return json(
        401,
        {},
        { 'www-authenticate': `Bearer resource_metadata="${metadataUrl}", scope="tools"` },
      );
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'server/discover') return void response.writeHead(400).end();
    if (method === 'tools/call') calledWith.push(token ?? '');
    const result = {
      'tools/list': {
        tools: [{ name: 'whoami', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
      },
      'tools/call': { content: [{ type: 'text', text: 'you are ada' }] },
    }[method] ?? {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'Guarded', version: '1' },
    };
    json(200, { jsonrpc: '2.0', id, result });
  }

  return {
    host,
    url,
    calledWith,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
