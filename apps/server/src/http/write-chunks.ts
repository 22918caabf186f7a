import type { Writable } from 'node:stream';

/** How long a reader may take nothing while something waits for it. */
const stuckMs = 30_000;

/**
 * Writes chunk by chunk: none is asked for before the reader has taken the one before. A reader that takes nothing for
 * `patienceMs` is cut off; nothing is written to one that has gone.
 */
export async function writeChunks(
  response: Writable,
  chunks: AsyncIterable<Uint8Array>,
  patienceMs = stuckMs,
): Promise<void> {
  for await (const chunk of chunks) {
    if (!response.write(chunk)) await emitted(response, 'drain', patienceMs);
    if (response.destroyed) return;
  }
  response.end();
  if (!response.writableFinished) await emitted(response, 'finish', patienceMs);
}

/** Resolves with the event, or when the stream is closed: by its reader, or here when the time is over. */
function emitted(response: Writable, event: 'drain' | 'finish', patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), patienceMs);
    const done = () => {
      clearTimeout(timer);
      response.off(event, done);
      response.off('close', done);
      resolve();
    };
    response.on(event, done);
    response.on('close', done);
    if (response.destroyed) done();
  });
}
