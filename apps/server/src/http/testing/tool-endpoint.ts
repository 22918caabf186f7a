import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ToolEndpoint {
  readonly url: string;
  readonly host: string;
  /** Every request so far. */
  readonly calls: readonly ToolCall[];
  /** Resolves when a request for this path has come in. */
  called(path: string): Promise<void>;
  close(): void;
}

/** What the tools of a test call: answers with the path; `/broken` fails, `/stuck` never answers, `/big` is long. */
export async function openToolEndpoint(): Promise<ToolEndpoint> {
  const calls: ToolCall[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const path = request.url ?? '';
    calls.push({ path, headers: request.headers, body });
    server.emit('called');
    if (path.startsWith('/stuck')) return;
    if (path.startsWith('/broken')) return void response.writeHead(500).end('canary: out of order');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(path.startsWith('/big') ? 'x'.repeat(600_000) : { done: path }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    calls,
    async called(path) {
      while (!calls.some((call) => call.path === path)) await once(server, 'called');
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
