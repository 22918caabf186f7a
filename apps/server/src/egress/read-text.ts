import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PassThrough, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { namedEncoding } from './named-encoding.ts';

function inflater(encoding: string): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return new PassThrough();
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

function decoder(bytes: Uint8Array, contentType: string) {
  try {
    return new TextDecoder(namedEncoding(bytes, contentType) ?? 'utf-8');
  } catch (error) {
    // An unknown charset label is the far side's mistake.
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}

export class TooLargeError extends Error {}
export class UnknownEncodingError extends Error {}

async function* capped(source: AsyncIterable<Buffer>, maxBytes: number) {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLargeError();
    yield chunk;
  }
}

/** Reads a body to its end. Both the bytes on the wire and the inflated ones stay under the cap. */
export async function readText(
  body: Readable,
  { contentType, encoding, maxBytes }: { contentType: string; encoding: string; maxBytes: number },
): Promise<string> {
  const inflate = inflater(encoding);
  if (!inflate) throw new UnknownEncodingError();
  const chunks: Buffer[] = [];
  await pipeline(
    body,
    (wire: AsyncIterable<Buffer>) => capped(wire, maxBytes),
    inflate,
    async (inflated: AsyncIterable<Buffer>) => {
      for await (const chunk of capped(inflated, maxBytes)) chunks.push(chunk);
    },
  );
  const bytes = Buffer.concat(chunks);
  return decoder(bytes, contentType).decode(bytes);
}
