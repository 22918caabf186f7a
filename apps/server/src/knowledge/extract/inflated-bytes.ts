import { inflateRawSync } from 'node:zlib';

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const maxEntries = 5_000;
/** Behind the end of the directory is at most a comment of this length. */
const longestEnd = 22 + 65_535;

/**
 * The bytes of each part of a zip archive once it is inflated, by its name. What the archive says of itself is not
 * believed: whoever built it to fill a disk says that it is small.
 */
export function inflatedBytes(
  zip: Uint8Array,
  most: number,
): ReadonlyMap<string, number> | 'too-large' | 'damaged' {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  const parts = new Map<string, number>();
  let left = most;
  try {
    const end = endOf(bytes);
    const count = bytes.readUInt16LE(end + 10);
    let at = bytes.readUInt32LE(end + 16);
    if (count > maxEntries) return 'too-large';
    for (let index = 0; index < count; index += 1) {
      if (bytes.readUInt32LE(at) !== entrySignature) return 'damaged';
      const nameLength = bytes.readUInt16LE(at + 28);
      const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
      const size = inflatedSize(bytes, at, left);
      if (size === null) return 'too-large';
      left -= size;
      parts.set(name, size);
      at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    }
    return parts;
  } catch {
    return 'damaged';
  }
}

function endOf(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - longestEnd); at -= 1)
    if (bytes.readUInt32LE(at) === endSignature) return at;
  throw new RangeError('no directory');
}

/** Null: more than are left. */
function inflatedSize(bytes: Buffer, entry: number, left: number): number | null {
  const method = bytes.readUInt16LE(entry + 10);
  const packed = bytes.readUInt32LE(entry + 20);
  const header = bytes.readUInt32LE(entry + 42);
  const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
  if (method === 0) return packed <= left ? packed : null;
  try {
    return inflateRawSync(bytes.subarray(start, start + packed), { maxOutputLength: Math.max(left, 1) })
      .length;
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}
