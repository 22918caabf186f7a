import { eventIdPattern } from '@parley/protocol/ids';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventId } from './event-id.ts';

test('ids only grow, whatever the clock does, and are all different', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 47 }), { minLength: 2, maxLength: 200 }), (clock) => {
      const ids = clock.map(createEventId);
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => (a < b ? -1 : 1)));
      for (const id of ids) expect(id).toMatch(eventIdPattern);
    }),
  );
});

test('many ids of one millisecond', () => {
  const now = 2 ** 47;
  const ids = Array.from({ length: 10_000 }, () => createEventId(now));
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => (a < b ? -1 : 1)));
});
