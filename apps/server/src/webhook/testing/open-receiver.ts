import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly event: { readonly type: string; readonly data: Record<string, unknown> };
}

export interface Receiver {
  readonly url: string;
  readonly host: string;
  readonly received: Received[];
  /** How it answers from now on; 200 at first. */
  answer: (response: ServerResponse, received: Received) => void;
  /** What has come, once this is true of it. */
  until(done: (received: readonly Received[]) => boolean): Promise<readonly Received[]>;
  close(): void;
}

/** What a tenant has behind the address of a webhook. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const each = { path: request.url ?? '', headers, body, event: JSON.parse(body) };
    received.push(each);
    receiver.answer(response, each);
    server.emit('received');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: Receiver = {
    url: `http://${host}`,
    host,
    received,
    answer: (response) => void response.end('taken'),
    async until(done) {
      while (!done(received)) await once(server, 'received');
      return received;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}
