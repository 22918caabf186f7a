import {
  type IncomingMessage,
  STATUS_CODES,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Problem } from '@parley/protocol/problem';
import type { Duplex } from 'node:stream';

/** How long a client may take to send the head of a request, and all of it; and how often that is looked at. */
export const patience = { headMs: 10_000, requestMs: 30_000, checkMs: 5_000 };

/**
 * An HTTP server that a slow or hostile client cannot hold. The limits cover receiving a request; an answer may
 * stream for as long as it needs.
 */
export function createHttpServer({ headMs, requestMs, checkMs } = patience): Server {
  const server = createServer({
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    // Longer than a load balancer keeps its own, so that it never reuses a connection that is being closed.
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    insecureHTTPParser: false,
    requireHostHeader: true,
  });
  server.maxHeadersCount = 100;
  server.maxRequestsPerSocket = 1_000;
  server.maxConnections = 20_000;
  server.on('clientError', refuse);
  return server;
}

/** Refuses a request whose target is no address. Express would answer it with a page of its own. */
export function refuseUnreadable(request: IncomingMessage, response: ServerResponse): boolean {
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

/** Answers what the parser refused, in the one error shape, and closes. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request was not sent in time.']
        : [400, 'The request is not valid HTTP.'];
  const problem: Problem = { ok: false, error: text, code: 'BAD_REQUEST', requestId: randomUUID() };
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}
