import { maxPictureSide } from '@parley/protocol/settings/picture';
import { pictureSide } from './picture-side.ts';
import { invalid } from './settings-error.ts';

/**
 * Throws for a picture of pixels that has more of them than a visitor’s browser should decode, which few bytes may say, or
 * is none of the type that it names. A drawing (SVG) has no size of its own.
 */
export function rejectLargePicture(path: string[], picture: string): void {
  const [, mediaType = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/.exec(picture) ?? [];
  if (mediaType === 'image/svg+xml') return;
  const side = pictureSide(mediaType, Buffer.from(base64, 'base64'));
  if (side === null) throw invalid(path, 'It is no picture of the type that it names.');
  if (side > maxPictureSide)
    throw invalid(path, `Expected at most ${maxPictureSide} pixels a side. It has ${side}.`);
}
