import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { capped, decoderOf } from '../../egress/read-text.ts';

/** No two runs of spaces beside each other: how to share a long one out would be tried in every way. */
const location = /<loc>\s*(?:<!\[CDATA\[\s*)?([^<\]\s]{1,2000})(?=[<\]\s])/gi;
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
/** Bytes that one file may have, packed and unpacked, as its format has it. */
export const maxSiteMapBytes = 50 * 1_048_576;
/** Characters before the end of a piece in which an address may have begun that goes on in the next one. */
const maxBegun = 4_096;
/** Bytes that are unpacked at once. */
const pieceBytes = 65_536;
/** Bytes in which a file says how it is encoded. */
const headBytes = 2_048;

interface Located {
  readonly address: string;
  /** It is a further such file, and no page. */
  readonly isMap: boolean;
}

/**
 * Hands on the addresses in a sitemap, or in an index of sitemaps, as they come, until `take` wants no more. The file may be
 * packed by gzip, whatever type it is sent with. Rejects where it breaks off or is too large, after what stands before that.
 */
export async function readSiteMap(
  body: AsyncIterable<Buffer>,
  contentType: string,
  take: (located: Located) => Promise<boolean>,
): Promise<void> {
  const pieces = body[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done) return;
  const whole = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  const isPacked = first.value[0] === 0x1f && first.value[1] === 0x8b;
  const enough = new AbortController();
  try {
    await pipeline(
      whole,
      isPacked ? createGunzip({ chunkSize: pieceBytes }) : new PassThrough(),
      (unpacked: AsyncIterable<Buffer>) =>
        takeEach(unpacked, contentType, async (located) => {
          if (!(await take(located))) enough.abort();
          enough.signal.throwIfAborted();
        }),
    );
  } catch (error) {
    if (!enough.signal.aborted) throw error;
  }
}

async function takeEach(
  unpacked: AsyncIterable<Buffer>,
  contentType: string,
  take: (located: Located) => Promise<void>,
): Promise<void> {
  let decoder: ReturnType<typeof decoderOf> | undefined;
  let isIndex = false;
  let begun = '';
  for await (const bytes of capped(unpacked, maxSiteMapBytes)) {
    decoder ??= decoderOf(bytes.subarray(0, headBytes), contentType);
    const text = begun + decoder.decode(bytes, { stream: true });
    isIndex ||= /<sitemapindex[\s>]/i.test(text);
    let taken = 0;
    for (const found of text.matchAll(location)) {
      const [match, address = ''] = found;
      taken = found.index + match.length;
      const decoded = address.replaceAll(/&(?:amp|lt|gt|quot|apos);/g, (entity) => entities[entity]!);
      await take({ address: decoded, isMap: isIndex });
    }
    begun = text.slice(Math.max(taken, text.length - maxBegun));
  }
}
