import { maxPictureSide } from '@parley/protocol/settings/picture';
import { pictureSide } from './picture-side.ts';
import { invalid } from './settings-error.ts';

/** Of a drawing, behind a byte order mark: anything else is shown as what it is, whatever it says that it is. */
const drawing = /^(?:\xef\xbb\xbf)?[\t\n\r ]*</;

/**
 * Throws for a picture of pixels that has more of them than a visitor’s browser should decode, which few bytes may say, or
 * is none of the type that it names. A drawing (SVG) has no size of its own, and is not bounded: there may be a picture of
 * any size in it, as a `data:` address.
 */
export function rejectLargePicture(path: string[], picture: string): void {
  const [, mediaType = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/.exec(picture) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  const isDrawing = mediaType === 'image/svg+xml' && drawing.test(bytes.toString('latin1'));
  const side = isDrawing ? 0 : pictureSide(mediaType, bytes);
  if (side === null) throw invalid(path, 'It is no picture of the type that it names.');
  if (side > maxPictureSide)
    throw invalid(path, `Expected at most ${maxPictureSide} pixels a side. It has ${side}.`);
}
