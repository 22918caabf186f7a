import { expect, test } from 'vitest';
import { readTextFiles } from './read-text-files.ts';

const read = (mediaType: string, bytes: Buffer) =>
  readTextFiles([
    { role: 'user', content: [{ type: 'file', mediaType, filename: 'a', data: bytes.toString('base64') }] },
  ])[0]?.content;

test.each([
  ['UTF-8', 'text/csv', Buffer.from('Öl;1')],
  ['UTF-8 behind a byte order mark', 'application/json', Buffer.from('\ufeffÖl;1')],
  ['UTF-16, as Notepad saves it', 'text/plain', Buffer.from('\ufeffÖl;1', 'utf16le')],
  ['the encoding that its type names', 'text/csv; charset=iso-8859-15', Buffer.from('Öl;1', 'latin1')],
  ['that of Windows, which it does not name', 'text/csv', Buffer.from('Öl;1', 'latin1')],
  ['one that does not exist', 'text/csv; charset=none', Buffer.from('Öl;1', 'latin1')],
])('a text in %s is read', (_, mediaType, bytes) => {
  expect(read(mediaType, bytes)).toEqual([{ type: 'text', text: `[file: a (${mediaType})]\nÖl;1` }]);
});

test('a drawing is read as the text that it is: no provider takes one as a picture', () => {
  expect(read('image/svg+xml', Buffer.from('<svg/>'))).toEqual([
    { type: 'text', text: '[file: a (image/svg+xml)]\n<svg/>' },
  ]);
});

test('pictures and documents stay files', () => {
  for (const mediaType of ['image/png', 'application/pdf', 'application/zip'])
    expect(read(mediaType, Buffer.from('x'))).toMatchObject([{ type: 'file', mediaType }]);
});
