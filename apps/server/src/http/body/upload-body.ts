import type { IncomingMessage } from 'node:http';
import { fileChunkBytes } from '../../store/file-store.ts';
import { ProblemError } from '../problem.ts';

/**
 * The body in the chunks that a file is stored in: the next is read when the one before is taken. `reject` is told the
 * size so far and throws when that is too much; what still comes then is dropped, because a client that is sending
 * would miss the answer.
 */
export async function* uploadBody(
  request: IncomingMessage,
  reject: (size: number) => void,
): AsyncIterable<Buffer> {
  const chunk = Buffer.allocUnsafe(fileChunkBytes);
  let filled = 0;
  let size = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length;
      reject(size);
      let from = 0;
      while (from < piece.length) {
        const copied = piece.copy(chunk, filled, from);
        from += copied;
        filled += copied;
        if (filled < fileChunkBytes) break;
        yield chunk;
        filled = 0;
      }
    }
    if (size === 0) throw new ProblemError('BAD_REQUEST', 'The file has no bytes.');
    if (filled > 0) yield chunk.subarray(0, filled);
  } catch (error) {
    // A request is destroyed at its end, too: what it was refused for stands.
    if (error instanceof ProblemError || !request.destroyed) throw error;
    throw new ProblemError('BAD_REQUEST', 'The file was not sent completely.');
  } finally {
    request.resume();
  }
}
