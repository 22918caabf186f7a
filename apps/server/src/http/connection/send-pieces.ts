import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

const pieceLength = 32 * 1024;

/** Writes a text as it is made, no faster than it is read. A reader who goes away before the end is no failure. */
export async function sendPieces(response: Response, texts: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(inPieces(texts), { highWaterMark: 1 }), response);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))
      throw error;
  }
}

/** Large enough to be worth a write, and all that waits for a reader besides its page of the log. */
async function* inPieces(texts: AsyncIterable<string>): AsyncIterable<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
