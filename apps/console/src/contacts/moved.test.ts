import { expect, test } from 'vitest';
import { moved } from './moved.ts';

const of = (...ids: string[]) => ids.map((id) => ({ id }));

test('an entry is moved from where it is by now, and not beyond either end', () => {
  expect(moved(of('a', 'b', 'c'), 'b', 1)).toEqual(of('a', 'c', 'b'));
  expect(moved(of('a', 'b', 'c'), 'b', -1)).toEqual(of('b', 'a', 'c'));
  expect(moved(of('a', 'b'), 'a', -1)).toEqual(of('a', 'b'));
  expect(moved(of('a', 'b'), 'b', 1)).toEqual(of('a', 'b'));
  expect(moved(of('a', 'b'), 'gone', 1)).toEqual(of('a', 'b'));
});
