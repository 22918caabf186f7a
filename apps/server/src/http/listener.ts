import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { ConnectionStatus } from '@parley/protocol/settings/status';
import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import { Connections } from './connection/connections.ts';
import { inPipelineOrder } from './connection/in-pipeline-order.ts';
import type { ServerTimeouts } from './connection/server-timeouts.ts';
import { createHttpServer, rejectUnreadable } from './server.ts';

/** How long a balancer may take to notice that the service stops; it is still answered, with a refusal. */
const noticeMs = 2_000;
/** How long requests may take to finish once the last turn has. */
const lastAnswersMs = 2_500;

export interface HttpListener {
  readonly port: number;
  /** Where it can be reached on this machine. */
  readonly url: string;
  status(): ConnectionStatus;
  /** Hands every request to the app once `ready` has resolved. A request that comes in before waits, instead of finding nobody. */
  serve(app: RequestListener, ready: Promise<void>): void;
  /** Takes no new connection from 2 s on: whoever connects then finds another process. What is open goes on. */
  drain(): void;
  /** Takes no new connection, lets requests finish for 2.5 s, then closes those that are left. */
  close(): Promise<void>;
}

/** Of a name that is looked up in vain: its operator would look for it at the database, whose name is looked up as well. */
function rejectUnknownHost(error: unknown): never {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo')
    throw Object.assign(new Error(error.message, { cause: error }), { code: 'EADDRNOTAVAIL' });
  throw error;
}

/** Listens where the configuration says; port 0 is any that is free. */
export async function openListener(
  config: Config,
  timeouts: ServerTimeouts,
  logger: Logger,
): Promise<HttpListener> {
  const { host, maxConnections, maxConnectionsPerAddress, trustProxy } = config;
  const connections = new Connections(
    { maxConnections, maxConnectionsPerAddress: trustProxy > 0 ? Infinity : maxConnectionsPerAddress },
    timeouts,
    logger,
  );
  const server = createHttpServer(timeouts, connections);
  const serving = Promise.withResolvers<RequestListener>();
  // From the first connection on: Node lets go of a request that nobody listens for, and its client waits without an end.
  server.on(
    'request',
    inPipelineOrder((request, response) => {
      if (!rejectUnreadable(request, response)) void serving.promise.then((app) => app(request, response));
    }),
  );
  server.listen(config.port, host);
  await once(server, 'listening').catch(rejectUnknownHost);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;

  let closing: Promise<void> | null = null;
  /** Resolves when the last request has its answer. */
  const closed = (): Promise<void> =>
    (closing ??= (async () => {
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      server.close();
      await once(server, 'close');
      clearInterval(sweep);
    })());

  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    status: () => connections.status(),
    serve(app, ready) {
      // A start that fails ends the process, and says why elsewhere.
      ready.then(
        () => serving.resolve(app),
        () => undefined,
      );
    },
    drain() {
      void setTimeout(noticeMs, undefined, { ref: false }).then(closed);
    },
    async close() {
      await Promise.race([closed(), setTimeout(lastAnswersMs, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}
