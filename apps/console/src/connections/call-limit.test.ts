import { expect, test } from 'vitest';
import { callLimitProblem } from './call-limit.tsx';

test('a limit is a whole number that the service takes', () => {
  const entered = ['1', '6000', '0', '6001', '9999', '1.5', '-1', '', '1e3'];
  expect(entered.filter((each) => Object.keys(callLimitProblem(each)).length === 0)).toEqual(['1', '6000']);
});
