import { expect, test } from 'vitest';
import { pictureSide } from './picture-side.ts';

// Of 300 by 200 pixels, as Chromium writes them; cut behind the header.
const png = 'iVBORw0KGgoAAAANSUhEUgAAASwAAADICAYAAABS39xVAAAHx0lEQVR4';
const jpeg =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCADIASwDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAf/xAAUEAEAAAAA';
const extendedWebp =
  'UklGRtIAAABXRUJQVlA4WAoAAAAQAAAAKwEAxwAAQUxQSBEAAAABBxAREQBQpP//KaL/qf9fAwBWUDggmgAAAHAQAJ0BKiwByAA+0WixUygmJKKgKAEAGglpbuF2sRtACewD';

/** A chunk of a file of the type, with these bytes in it. */
const webpOf = (chunk: string, data: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), Buffer.from(`${chunk}\0\0\0\0`), Buffer.from(data)]);
const lossyWebp = webpOf('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x2c, 1, 0xc8, 0]);
const losslessWebp = webpOf('VP8L', [0x2f, 0x2b, 0xc1, 0x31, 0]);

/** A picture that is made of several says of each how large it is. */
function avif(...sides: readonly (readonly [number, number])[]): Buffer {
  const boxes = sides.map(([width, height]) => {
    const box = Buffer.from('\0\0\0\x14ispe\0\0\0\0\0\0\0\0\0\0\0\0');
    box.writeUInt32BE(width, 12);
    box.writeUInt32BE(height, 16);
    return box;
  });
  return Buffer.concat([Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf'), ...boxes]);
}

/** A property that has `size` for its own, and these letters for its name. */
function property(size: number, name: string, side: number): Buffer {
  const box = Buffer.from(`\0\0\0\0${name}${'\0'.repeat(12)}`);
  box.writeUInt32BE(size);
  box.writeUInt32BE(side, 12);
  return box;
}

const decoded = (base64: string) => Buffer.from(base64, 'base64');

test.each([
  ['image/png', decoded(png)],
  ['image/jpeg', decoded(jpeg)],
  ['image/webp', decoded(extendedWebp)],
  ['image/webp', lossyWebp],
  ['image/webp', losslessWebp],
  ['image/avif', avif([300, 200])],
  ['image/avif', avif([64, 64], [300, 200], [100, 200])],
])('the header of a picture of type %s says how large it is', (type, bytes) => {
  expect(pictureSide(type, bytes)).toBe(300);
  const others = ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif'];
  for (const other of others) if (other !== type) expect(pictureSide(other, bytes)).toBeNull();
  for (let length = 0; length < 12; length++) expect(pictureSide(type, bytes.subarray(0, length))).toBeNull();
});

test('a header that leads nowhere says nothing', () => {
  const endless = Buffer.alloc(20_000, 0xff);
  endless.writeUInt16BE(0xffd8);
  expect(pictureSide('image/jpeg', endless)).toBeNull();
  const empty = Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...Array.from({ length: 4_000 }, () => Buffer.from([0xff, 0xe0, 0, 0])),
  ]);
  expect(pictureSide('image/jpeg', empty)).toBeNull();
  expect(pictureSide('image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeNull();
});

test('a marker without a length hides no other frame', () => {
  const frame = [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1];
  for (const marker of [0x00, 0x01, 0xd0, 0xd7, 0xd8, 0xd9]) {
    // Read as one with a length, it goes over the frame that decoders read.
    const bytes = [0xff, 0xd8, 0xff, marker, 0, 9, 0, 0, 0, 0, 0, 0, 0, ...frame];
    expect(pictureSide('image/jpeg', Buffer.from(bytes))).toBeNull();
  }
  expect(pictureSide('image/jpeg', Buffer.from([0xff, 0xd8, ...frame]))).toBe(1);
});

test('a sequence of pictures is no picture', () => {
  const major = avif([300, 200]);
  major.write('avis', 8);
  const compatible = avif([300, 200]);
  compatible.write('avis', 24);
  const tracks = Buffer.concat([avif([300, 200]), Buffer.from('\0\0\0\x08moov')]);
  for (const bytes of [major, compatible, tracks]) expect(pictureSide('image/avif', bytes)).toBeNull();
});

test('a picture has the size that a property of it says, and not a text', () => {
  const text = Buffer.concat([avif([300, 200]), Buffer.from('a recipe: wispered notes')]);
  expect(pictureSide('image/avif', text)).toBe(300);
  expect(pictureSide('image/avif', Buffer.concat([avif(), Buffer.from('wispered notes')]))).toBeNull();
  // In another form than is usual, one could be hidden beside one in this.
  for (const size of [0, 1, 24])
    expect(
      pictureSide('image/avif', Buffer.concat([avif([300, 200]), property(size, 'ispe', 60_000)])),
    ).toBeNull();
});
