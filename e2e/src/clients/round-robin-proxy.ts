import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface RoundRobinProxy {
  readonly url: string;
  /** How many requests each server has answered, in their order. */
  readonly answered: readonly number[];
  close(): void;
}

/**
 * Gives each request to the next of the servers in turn, and to the one after it where there is nobody or the answer is
 * 503, as load balancers are set up to do.
 */
export async function openRoundRobinProxy(servers: readonly string[]): Promise<RoundRobinProxy> {
  const agent = new Agent({ keepAlive: false });
  const answered = servers.map(() => 0);
  let next = 0;

  function attempt(
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    number: number,
    left: number,
  ): void {
    const after = (number + 1) % servers.length;
    const { method, headers, url } = incoming;
    const outgoing = request(new URL(url ?? '/', servers[number]), { method, headers, agent });
    outgoing.on('error', () => {
      if (left > 1 && !response.headersSent && !response.closed)
        attempt(incoming, body, response, after, left - 1);
      else response.destroy();
    });
    outgoing.on('response', (answer) => {
      const pass = () => {
        answered[number]! += 1;
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      };
      if (answer.statusCode !== 503 || left === 1) return pass();
      answer.resume();
      attempt(incoming, body, response, after, left - 1);
    });
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
  }

  const server = createServer((incoming, response) => {
    buffer(incoming).then(
      (body) => attempt(incoming, body, response, (next += 1) % servers.length, servers.length),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
