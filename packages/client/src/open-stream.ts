import { type Connection, requestInTime, requestOnce, type SendOptions } from './connection.ts';
import { ParleyError } from './error.ts';

/** The answer to a message, where it is the session's stream. It holds a connection: follow it, or cancel it. */
export type OpenStream = { readonly startIndex: number; readonly body: ReadableStream<Uint8Array> };

const contentType = 'application/x-ndjson';
/** JSON will do where no further stream may be open. */
const accept = `${contentType}, application/json;q=0.9`;
/** A stream begins at once. What takes longer may be a proxy that waits for its end. */
const timeout = 10_000;

/** The body of an answer that is the stream; null of any other. */
export const streamBody = ({ headers, body }: Response): ReadableStream<Uint8Array> | null =>
  headers.get('content-type')?.startsWith(contentType) ? body : null;

/** Nobody is going to follow it. */
export const cancelStream = (stream: OpenStream | null): void =>
  void stream?.body.cancel().catch(() => {
    // It broke off before.
  });

/**
 * As `requestOnce`, of a message that may be answered with the stream: `read` is to take either. Only the first attempt
 * asks for it, in case something on the way cannot let it through.
 */
export function requestStream<T>(
  connection: Connection,
  path: string,
  call: { body: unknown } & SendOptions,
  read: (response: Response) => Promise<T> | T,
): Promise<T> {
  let asked = false;
  const send: typeof requestInTime<T> = async (...[to, address, plain, take]) => {
    if (asked) return requestInTime(to, address, plain, take);
    asked = true;
    try {
      return await requestInTime(
        to,
        address,
        { ...plain, timeout, headers: { ...plain.headers, accept } },
        take,
      );
    } catch (error) {
      if (!(error instanceof ParleyError) || error.status !== 406) throw error;
      return requestInTime(to, address, plain, take);
    }
  };
  return requestOnce(connection, path, call, read, send);
}
