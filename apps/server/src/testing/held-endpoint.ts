import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface HeldCall {
  readonly body: string;
  /** Resolves when the connection is gone, or the answer sent. */
  readonly closed: Promise<unknown>;
  answer(output: unknown, status?: number): void;
}

export interface HeldEndpoint {
  readonly url: string;
  readonly host: string;
  /** The next request for this path that no test took yet. It waits for its answer. */
  call(path: string): Promise<HeldCall>;
  /** From now on requests for this path are answered at once. */
  answers(path: string, output: unknown, status?: number): void;
  close(): void;
}

/** What the tools of a test call: every request is held until the test answers it. */
export async function openHeldEndpoint(): Promise<HeldEndpoint> {
  const waiting: { path: string; call: HeldCall }[] = [];
  const standing = new Map<string, { output: unknown; status: number }>();
  const server = createServer(async (request, response) => {
    const closed = once(response, 'close');
    const path = request.url ?? '';
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const answer = (output: unknown, status = 200) => {
      const text = typeof output === 'string';
      response.writeHead(status, { 'content-type': text ? 'text/plain' : 'application/json' });
      response.end(text ? output : JSON.stringify(output));
    };
    const known = standing.get(path);
    if (known) return answer(known.output, known.status);
    waiting.push({ path, call: { body, closed, answer } });
    server.emit('called');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    async call(path) {
      for (;;) {
        const index = waiting.findIndex((entry) => entry.path === path);
        if (index >= 0) return waiting.splice(index, 1)[0]!.call;
        await once(server, 'called');
      }
    },
    answers(path, output, status = 200) {
      standing.set(path, { output, status });
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
