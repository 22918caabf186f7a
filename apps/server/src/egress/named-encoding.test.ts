import { expect, test } from 'vitest';
import { namedEncoding } from './named-encoding.ts';

const meta = '<meta charset="windows-1251">';

test.each([
  ['a page whose markup comes late', `Notice: 1\n${meta}`, 'text/html', 'windows-1251'],
  [
    'a page that is sent with an encoding that does not exist',
    meta,
    'text/html; charset=none',
    'windows-1251',
  ],
  ['a page that is sent with another one', meta, 'text/html; charset=koi8-r', 'koi8-r'],
  ['a text that quotes one', `Write ${meta}`, 'text/plain', null],
  ['a page that says what it cannot be in', '<meta charset="utf-16le">', 'text/html', 'utf-8'],
  ['what is sent with one that does not exist, and names none', 'text', 'text/plain; charset=none', 'none'],
])('the encoding of %s', (_what, text, mediaType, encoding) => {
  expect(namedEncoding(Buffer.from(text), mediaType)).toBe(encoding);
});
