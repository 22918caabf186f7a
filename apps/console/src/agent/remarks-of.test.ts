import { expect, test } from 'vitest';
import { remarksOf } from './remarks-of.ts';

test('remarks that a reading has only counted are counted', () => {
  const kept = Array.from(
    { length: 49 },
    (_, index) => `https://shop.example/${index}: The address answered 503.`,
  );
  expect(remarksOf([])).toBe(0);
  expect(remarksOf(kept.slice(0, 1))).toBe(1);
  expect(remarksOf([...kept, 'And 1200 more.'])).toBe(1_249);
});
