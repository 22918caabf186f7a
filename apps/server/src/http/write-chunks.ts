import type { Writable } from 'node:stream';
import { serverTimeouts } from './server-timeouts.ts';

/**
 * Writes chunk by chunk: none is asked for before the reader has taken the one before. A reader that has not taken a
 * chunk after `writeMs` is cut off; nothing is written to one that has gone.
 */
export async function writeChunks(
  response: Writable,
  chunks: AsyncIterable<Uint8Array>,
  writeMs = serverTimeouts.writeMs,
): Promise<void> {
  for await (const chunk of chunks) {
    if (!response.write(chunk)) await emitted(response, 'drain', writeMs);
    if (response.destroyed) return;
  }
  response.end();
  if (!response.writableFinished) await emitted(response, 'finish', writeMs);
}

/** Resolves with the event, or when the stream is closed: by its reader, or here when the time is over. */
function emitted(response: Writable, event: 'drain' | 'finish', writeMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), writeMs);
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
