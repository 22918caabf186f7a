import { expect, test } from 'vitest';
import { cssUrl } from './css-url.ts';

test('nothing in an address ends it', () => {
  expect(cssUrl('data:image/svg+xml,<svg fill="red"/>')).toBe(
    'url("data:image/svg+xml,<svg fill=%22red%22/>")',
  );
  expect(cssUrl('data:a\\')).toBe('url("data:a%5C")');
  expect(cssUrl('data:a\r\n\f"); color: red')).toBe('url("data:a%0D%0A%0C%22); color: red")');
});
