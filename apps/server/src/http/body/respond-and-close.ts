import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';

/** How much of a refused body is read and dropped, at most: a client whose connection is reset may miss the response. */
const lingering = { bytes: 4 * 1024 * 1024, ms: 2_000 };
/** A body of this size is on its way already: reading it costs less than another connection. */
const smallBytes = 64 * 1024;

/** Whether a body is still to come that is not worth reading. */
export function isBodyUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > smallBytes;
}

/** Responds before the request's body came in, and closes the connection once the client had time to read the response. */
export function respondAndClose(request: IncomingMessage, response: Response, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.setHeader('connection', 'close');
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', bytes.length);
  // The client has the whole response with its last byte. `end()` would close the connection at once.
  response.write(bytes);
  let dropped = 0;
  const close = () => {
    clearTimeout(timer);
    request.off('data', drop);
    response.end();
  };
  const drop = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > lingering.bytes) close();
  };
  const timer = setTimeout(close, lingering.ms).unref();
  request.on('data', drop).once('end', close).once('close', close);
}
