import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import type { Delivery } from '../log-checker/history.ts';

export interface ToolSink {
  readonly url: string;
  /** What the service must be allowed to reach. */
  readonly address: string;
  /** Every request, noted before it is answered. */
  readonly deliveries: Delivery[];
  /** Answers nobody any more until what it returns is called. */
  readonly hold: () => () => void;
  close(): void;
}

/** The endpoint behind the tools. It takes its time to answer, so that a process can die while it waits. */
export async function openToolSink(answerAfterMs = 15): Promise<ToolSink> {
  const deliveries: Delivery[] = [];
  let released = Promise.resolve();
  const server = createServer(async (request, response) => {
    const tool = request.url?.slice(1) ?? '';
    const { order } = JSON.parse(await text(request)) as { order: string };
    const idempotencyKey = request.headers['idempotency-key'];
    deliveries.push({
      tool,
      order,
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
    });
    await setTimeout(answerAfterMs);
    await released;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ done: order }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const address = `127.0.0.1:${port}`;
  return {
    url: `http://${address}`,
    address,
    deliveries,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      return resolve;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
