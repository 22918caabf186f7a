import { expect, test } from 'vitest';
import { nameParts } from './name-parts.ts';

test('a message is known by what was typed and its files by name', () => {
  const file = new File(['x'], 'notes.md', { type: 'text/markdown' });
  expect(nameParts('Look', [file]).text).toBe('Look\n[file: notes.md (text/markdown)]');
  expect(nameParts('', [file]).text).toBe('[file: notes.md (text/markdown)]');
});

test('a name has no control characters, which the service refuses', () => {
  const file = new File(['x'], 'a\nb\u0085.md', { type: 'text/markdown' });
  expect(nameParts('', [file])).toMatchObject({
    text: '[file: a b .md (text/markdown)]',
    parts: [{ filename: 'a b .md' }],
  });
});
