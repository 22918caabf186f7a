import { expect, test } from 'vitest';
import { moreProblems, problemCount } from './problem-count.ts';

test('problems that a reading has only counted are counted', () => {
  const kept = Array.from(
    { length: 49 },
    (_, index) => `https://shop.example/${index}: The address answered 503.`,
  );
  expect(problemCount([])).toBe(0);
  expect(problemCount(kept.slice(0, 1))).toBe(1);
  expect(problemCount([...kept, 'And 1200 more.'])).toBe(1_249);
  expect(problemCount([...kept, moreProblems(1)])).toBe(50);
});
