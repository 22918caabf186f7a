import type { Writable } from 'node:stream';

/**
 * Writes chunk by chunk: none is asked for before the reader has taken the one before, nor once the reader has gone.
 * `Connections` cuts off a reader that takes nothing.
 */
export async function writeChunks(response: Writable, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) {
    if (!response.write(chunk)) await drained(response);
    if (response.destroyed) return;
  }
  response.end();
}

/** Resolves once the stream takes more, or is closed. */
function drained(response: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    if (response.destroyed) done();
  });
}
