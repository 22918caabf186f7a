/**
 * The longer side of a picture in pixels, as its header has it, from which browsers know how much memory it takes. Null: the
 * header is none of that type.
 */
export function pictureSide(mediaType: string, bytes: Buffer): number | null {
  try {
    return sideOf[mediaType]?.(bytes) || null;
  } catch (error) {
    // It ends before its header does.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const sideOf: Readonly<Record<string, (bytes: Buffer) => number>> = {
  'image/png': (bytes) =>
    textAt(bytes, 1, 'PNG\r\n\x1a\n') && textAt(bytes, 12, 'IHDR')
      ? Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
      : 0,
  'image/jpeg': sideOfJpeg,
  'image/webp': sideOfWebp,
  'image/avif': sideOfAvif,
};

const ispeBytes = 20;

const textAt = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/** In the frame header (ITU T.81, B.2.2), behind other segments, each of which says how long it is. */
function sideOfJpeg(bytes: Buffer): number {
  if (bytes.readUInt16BE(0) !== 0xffd8) return 0;
  for (let at = 2; bytes.readUInt8(at) === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    while (bytes.readUInt8(at + 1) === 0xff) at += 1;
    const marker = bytes.readUInt8(at + 1);
    // One without a length, or none: decoders go on right behind it.
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9)) return 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return Math.max(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7));
  }
  return 0;
}

/** In its first chunk (RFC 9649), of three kinds. */
function sideOfWebp(bytes: Buffer): number {
  if (!textAt(bytes, 0, 'RIFF') || !textAt(bytes, 8, 'WEBP')) return 0;
  if (textAt(bytes, 12, 'VP8X')) return 1 + Math.max(bytes.readUIntLE(24, 3), bytes.readUIntLE(27, 3));
  if (textAt(bytes, 12, 'VP8L')) {
    const sides = bytes.readUInt32LE(21);
    return 1 + Math.max(sides & 0x3fff, (sides >>> 14) & 0x3fff);
  }
  if (!textAt(bytes, 12, 'VP8 ')) return 0;
  return Math.max(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
}

/**
 * In a property of each picture that it is made of (ISO 23008-12, `ispe`): that of the largest. A sequence of pictures,
 * which says elsewhere how large they are, is none.
 */
function sideOfAvif(bytes: Buffer): number {
  if (!textAt(bytes, 4, 'ftyp')) return 0;
  const brands = bytes.toString('latin1', 8, bytes.readUInt32BE(0));
  if (brands.length < 8 || brands.includes('avis') || bytes.includes('moov')) return 0;
  let side = 0;
  for (let at = bytes.indexOf('ispe'); at !== -1; at = bytes.indexOf('ispe', at + 4)) {
    const boxBytes = bytes.readUInt32BE(at - 4);
    // Those four letters in a text have others before them.
    if (boxBytes > bytes.length) continue;
    if (boxBytes !== ispeBytes) return 0;
    side = Math.max(side, bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12));
  }
  return side;
}
