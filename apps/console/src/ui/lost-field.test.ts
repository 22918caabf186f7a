import { expect, test } from 'vitest';
import { isForLostField, loseField, noticeLostField } from './lost-field.ts';

test('keys are meant for a field that is gone until whoever types has paused, or points somewhere', () => {
  expect(isForLostField(0)).toBe(false);
  loseField(100);
  expect([600, 1_500, 2_400, 3_400].map(isForLostField)).toEqual([true, true, true, false]);
  loseField(5_000);
  noticeLostField();
  expect(isForLostField(5_100)).toBe(false);
});
