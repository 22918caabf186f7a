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

/** What decodes a text that begins so. */
export function decoderOf(bytes: Uint8Array, contentType: string) {
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

/** Throws `TooLargeError` behind so many bytes. */
export async function* capped(source: AsyncIterable<Buffer>, maxBytes: number) {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLargeError();
    yield chunk;
  }
}

/** Hands a body to its reader as it comes. Both the bytes on the wire and the inflated ones stay under the cap. */
export async function readBody(
  body: Readable,
  { encoding, maxBytes }: { encoding: string; maxBytes: number },
  read: (inflated: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const inflate = inflater(encoding);
  if (!inflate) throw new UnknownEncodingError();
  await pipeline(
    body,
    (wire: AsyncIterable<Buffer>) => capped(wire, maxBytes),
    inflate,
    (inflated: AsyncIterable<Buffer>) => read(capped(inflated, maxBytes)),
  );
}

/** Reads a body to its end, under the same caps. */
export async function readText(
  body: Readable,
  { contentType, ...limits }: { contentType: string; encoding: string; maxBytes: number },
): Promise<string> {
  const chunks: Buffer[] = [];
  await readBody(body, limits, async (inflated) => {
    for await (const chunk of inflated) chunks.push(chunk);
  });
  const bytes = Buffer.concat(chunks);
  return decoderOf(bytes, contentType).decode(bytes);
}
