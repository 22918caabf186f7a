import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = object | ((response: ServerResponse) => void);

interface HostileServer {
  readonly host: string;
  readonly url: string;
  /** How it answers at these paths from now on; elsewhere nothing is found. */
  answers(paths: Readonly<Record<string, Answer>>): void;
  close(): void;
}

/** A server of tools and of sign-ins that says what a test wants. */
export async function startHostileServer(): Promise<HostileServer> {
  let answers: Readonly<Record<string, Answer>> = {};
  const server = createServer((request, response) => {
    request.resume();
    const answer = answers[new URL(request.url ?? '', 'http://host').pathname];
    if (answer === undefined) return void response.writeHead(404).end();
    if (typeof answer === 'function') return answer(response);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    answers: (paths) => void (answers = paths),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Bytes without end, for as long as somebody takes them. */
export function pour(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () =>
    void (
      response.destroyed ||
      (response.write(' '.repeat(65_536)) ? setImmediate(more) : response.once('drain', more))
    );
  more();
}

/** A byte now and then, and never the last one. */
export function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const dripping = setInterval(() => response.write(' '), 5);
  response.once('close', () => clearInterval(dripping));
}
