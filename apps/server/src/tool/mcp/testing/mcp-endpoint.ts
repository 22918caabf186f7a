import { once } from 'node:events';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface JsonRpcRequest {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly cursor?: string; readonly arguments?: unknown };
}

/** What a server does with one request; undefined: answers it like any other. */
type Behaviour = (request: JsonRpcRequest, response: ServerResponse, headers: IncomingHttpHeaders) => unknown;

interface McpEndpoint {
  readonly host: string;
  /** A server at an address of its own. `result` answers a method; what it does not know is answered as usual. */
  server(result: (request: JsonRpcRequest) => unknown): string;
  /** The same, whose answers are written by hand. */
  rawServer(behaviour: Behaviour): string;
  /** The bearer tokens that were sent to an address. */
  tokensOf(url: string): readonly (string | undefined)[];
  /** The sessions with it that were ended. */
  endedSessions(url: string): readonly unknown[];
  close(): void;
}

export const result = (response: ServerResponse, id: number | undefined, value: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
};

/** Servers of tools that speak the protocol as far as a test lets them. */
export async function openMcpEndpoint(): Promise<McpEndpoint> {
  const behaviours: Behaviour[] = [];
  const tokens: (string | undefined)[][] = [];
  const ended: unknown[][] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const number = Number(/^\/(\d+)/.exec(request.url ?? '')?.[1]);
    const message = JSON.parse(body || '{}') as JsonRpcRequest;
    tokens[number]?.push(request.headers.authorization);
    if (request.method === 'DELETE') ended[number]?.push(request.headers['mcp-session-id']);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (behaviours[number]?.(message, response, request.headers) !== undefined) return;
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.method === 'server/discover') return void response.writeHead(400).end();
    result(response, message.id, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'Test', version: '1' },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rawServer = (behaviour: Behaviour) => {
    tokens.push([]);
    ended.push([]);
    return `http://${host}/${behaviours.push(behaviour) - 1}/mcp`;
  };
  const numberOf = (url: string) => Number(/\/(\d+)\/mcp$/.exec(url)?.[1]);
  return {
    host,
    rawServer,
    server: (answer) =>
      rawServer((request, response) => {
        const value = answer(request);
        if (value !== undefined) result(response, request.id, value);
        return value;
      }),
    tokensOf: (url) => tokens[numberOf(url)] ?? [],
    endedSessions: (url) => ended[numberOf(url)] ?? [],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
