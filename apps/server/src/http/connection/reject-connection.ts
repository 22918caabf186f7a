import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '@parley/protocol/problem';

interface RejectionDeps {
  readonly lingerMs: number;
  /** The response to the latest request of the connection. */
  readonly latest: ServerResponse | undefined;
}

const lingering = new WeakSet<Socket>();

/** Answers what the parser rejected or the clock ended, in the one error shape, and destroys the connection. */
export function rejectConnection(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { lingerMs, latest }: RejectionDeps,
): void {
  // The parser reports the rest of a rejected request again as it comes in, until `lingerMs` is over.
  if (lingering.has(socket)) return;
  if (!socket.writable || error.code === 'ECONNRESET' || socket.bytesRead === 0 || !isAnswerable(latest)) {
    socket.destroy();
    return;
  }
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  lingering.add(socket);
  const destroy = () => void socket.destroy();
  const timer = setTimeout(destroy, lingerMs);
  socket.once('close', () => clearTimeout(timer));
  // Closing while the client still sends would reset the connection, and the client would miss the answer.
  if (late) socket.end(rejection(408, 'The request was not sent in time.'), destroy);
  else if (error.code === 'HPE_HEADER_OVERFLOW') socket.end(rejection(431, 'The headers are too large.'));
  else socket.end(rejection(400, 'The request is not valid HTTP.'));
}

/** Whether a response can be written that the client takes for that of the request it is sending. */
function isAnswerable(latest: ServerResponse | undefined): boolean {
  if (!latest) return true;
  return latest.req.complete ? latest.writableFinished : !latest.headersSent;
}

function rejection(status: number, text: string): string {
  const problem: Problem = { ok: false, error: text, code: 'BAD_REQUEST', requestId: randomUUID() };
  const body = JSON.stringify(problem);
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`
  );
}
