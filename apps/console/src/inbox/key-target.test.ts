import { expect, test } from 'vitest';
import { keyTarget } from './key-target.ts';

test('a key answers the one that was looked at', () => {
  expect(keyTarget({ shown: ['a'], focused: null, aimed: 'a' })).toEqual({ id: 'a', isAimed: true });
  expect(keyTarget({ shown: ['a', 'b'], focused: 'b', aimed: 'b' })).toEqual({ id: 'b', isAimed: true });
  expect(keyTarget({ shown: [], focused: null, aimed: null })).toBeNull();
});

test('a key shows the one that it would answer, where another one was looked at, or none', () => {
  expect(keyTarget({ shown: ['a', 'b'], focused: null, aimed: null })).toEqual({ id: 'a', isAimed: false });
  expect(keyTarget({ shown: ['a', 'b'], focused: 'b', aimed: 'a' })).toEqual({ id: 'b', isAimed: false });
  // Two are there, and nobody knows which of them is read.
  expect(keyTarget({ shown: ['a', 'b'], focused: null, aimed: 'b' })).toEqual({ id: 'b', isAimed: false });
  // What was looked at is answered by somebody else, and the focus has moved on by itself.
  expect(keyTarget({ shown: ['b'], focused: 'b', aimed: 'a' })).toEqual({ id: 'b', isAimed: false });
  expect(keyTarget({ shown: ['b'], focused: null, aimed: 'a' })).toEqual({ id: 'b', isAimed: false });
});
