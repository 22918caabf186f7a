import { expect, test } from 'vitest';
import { isTaken, mediaTypeOf } from './media-type.ts';

test.each([
  ['notes.md', '', 'text/markdown'],
  ['NOTES.MD', '', 'text/markdown'],
  ['orders.csv', 'application/vnd.ms-excel', 'text/csv'],
  ['orders.csv', 'text/csv', 'text/csv'],
  ['page.ts', 'video/mp2t', 'text/plain'],
  ['photo.png', 'image/png', 'image/png'],
  ['unknown', '', 'application/octet-stream'],
  ['unknown.xyz', '', 'application/octet-stream'],
  ['photo.constructor', 'image/png', 'image/png'],
  ['__proto__', '', 'application/octet-stream'],
])('%s, which the system calls %j, is %s', (name, type, expected) => {
  expect(mediaTypeOf(new File(['x'], name, { type }))).toBe(expected);
});

test.each([
  ['image/png', ['image/*'], true],
  ['image/png', ['IMAGE/PNG'], true],
  ['imagery/png', ['image/*'], false],
  ['application/pdf', ['image/*', 'application/pdf'], true],
  ['application/pdf', ['image/*'], false],
  ['text/plain', [], false],
])('%s among %j: %s', (mediaType, types, expected) => {
  expect(isTaken(mediaType, types)).toBe(expected);
});
