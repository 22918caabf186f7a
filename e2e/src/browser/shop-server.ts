import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Of its interface, as OpenAPI. */
export const description = {
  openapi: '3.1.0',
  servers: [{ url: '/' }],
  paths: {
    '/orders/{order}': {
      get: {
        operationId: 'findOrder',
        summary: 'Look up an order',
        parameters: [{ name: 'order', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
    '/orders': { get: { operationId: 'listOrders', summary: 'List all orders' } },
  },
};

/** The only tool of the shop's MCP server, which says of itself what a test has it say. */
export const stock = {
  name: 'count_stock',
  title: 'Count the stock',
  description: 'Counts what is left of a product.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
};

/** What the shop's MCP server answers; undefined: nothing that it could. */
function answerOf(method: string): unknown {
  if (method === 'tools/list') return { tools: [stock] };
  if (method === 'tools/call') return { content: [{ type: 'text', text: 'Four are left.' }] };
  const serverInfo = { name: 'shop', version: '1' };
  if (method === 'initialize')
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  return undefined;
}

/** A shop's own service, which keeps what it was sent. */
export async function openShop() {
  const calls: { line: string; authorization: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const isDescription = request.url === '/openapi.json';
    const body = await text(request);
    if (request.url === '/mcp') {
      const { id, method } = JSON.parse(body || '{}') as { id?: number; method: string };
      const result = answerOf(method);
      response.writeHead(result ? 200 : id === undefined ? 202 : 400, { 'content-type': 'application/json' });
      return void response.end(result && JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
    const line = `${request.method} ${request.url}`;
    if (!isDescription) calls.push({ line, authorization: request.headers.authorization, body });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isDescription ? description : { refunded: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, calls, close: () => server.close() };
}
