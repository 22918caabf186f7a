import { once } from 'node:events';
import { setTimeout as elapsed } from 'node:timers/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** How the server answers one request. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

export interface ReceivedRequest {
  readonly path: string;
  readonly body: unknown;
  /** Resolves when the connection of the request is gone. */
  readonly closed: Promise<unknown>;
}

export interface ProviderServer extends AsyncDisposable {
  readonly origin: string;
  readonly requests: ReceivedRequest[];
}

/** A provider on a port of this machine that answers the first request with the first answer, and so on. */
export const providerServer = async (...answers: Answer[]): Promise<ProviderServer> => {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const closed = once(response, 'close');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = answers[requests.length];
    requests.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()), closed });
    if (answer) await answer(response, request);
    else response.writeHead(500).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** A stream of `frames`, in pieces of `size` bytes every `pace` milliseconds, that ends as `ending` says. */
export const streaming =
  (
    contentType: string,
    frames: readonly Buffer[],
    {
      size = Infinity,
      pace = 0,
      ending = 'end',
    }: { size?: number; pace?: number; ending?: 'end' | 'reset' | 'stall' } = {},
  ): Answer =>
  async (response) => {
    response.writeHead(200, { 'content-type': contentType }).flushHeaders();
    const bytes = Buffer.concat(frames);
    for (let at = 0; at < bytes.length; at += size) {
      if (pace > 0) await elapsed(pace);
      await new Promise((written) =>
        response.write(bytes.subarray(at, at + Math.min(size, bytes.length)), written),
      );
    }
    if (ending === 'end') response.end();
    if (ending === 'reset') response.socket?.resetAndDestroy();
  };

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response
      .writeHead(code, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { type: 'error', message: 'secret detail', code: 1, status: 'X' } }));
  };

/** A refusal with a body of the provider's own. */
export const refusal =
  (code: number, body: unknown): Answer =>
  (response) => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

export const reset: Answer = (response) => void response.socket?.resetAndDestroy();

export const silence: Answer = () => undefined;
