import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Problem } from '@parley/protocol/problem';
import type { Connections } from './connection/connections.ts';
import { rejectConnection } from './connection/reject-connection.ts';
import type { ServerTimeouts } from './connection/server-timeouts.ts';

/**
 * An HTTP server that a slow or hostile client cannot hold: what is not sent in time is refused, what is refused or
 * not taken in time is destroyed. A response may stream for as long as its client takes it.
 */
export function createHttpServer(timeouts: ServerTimeouts, connections: Connections): Server {
  const server = createServer({
    headersTimeout: timeouts.headMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkMs,
    // Longer than a load balancer keeps its own, so that it never reuses a connection that is being closed.
    keepAliveTimeout: 65_000,
    // A client whose machine or network is gone never says so: the kernel asks it.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    maxHeaderSize: 16 * 1024,
    insecureHTTPParser: false,
    requireHostHeader: true,
  });
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = 1_000;
  connections.watch(server);

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') connections.countTimeout(socket);
    rejectConnection(error, socket, { lingerMs: timeouts.lingerMs, latest: connections.latest(socket) });
  });
  return server;
}

/** Refuses a request whose target is no address. Express would answer it with a page of its own. */
export function rejectUnreadable(request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '' } = request;
  // One slash leads to a path of ours, which always parses; only an absolute form can name an impossible host.
  if (/^\/(?!\/)/.test(url) || URL.canParse(url, 'http://localhost')) return false;
  const problem: Problem = {
    ok: false,
    error: 'The address is not valid.',
    code: 'BAD_REQUEST',
    requestId: randomUUID(),
  };
  const body = JSON.stringify(problem);
  response.writeHead(400, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-request-id': problem.requestId,
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
  return true;
}
