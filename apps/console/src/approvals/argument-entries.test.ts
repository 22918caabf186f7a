import { expect, test } from 'vitest';
import { argumentsOf, entriesOf, entryProblems } from './argument-entries.ts';

const input = { order: '007', amount: 40, lines: [{ sku: 'A' }], urgent: false };

test('arguments are edited as texts, and stay of their kinds', () => {
  const entries = entriesOf(input);
  expect(entries).toEqual({ order: '007', amount: '40', lines: '[{"sku":"A"}]', urgent: 'false' });
  expect(argumentsOf(input, entries)).toEqual(input);
  const changed = { ...entries, order: '008', amount: '25.5', urgent: 'true' };
  expect(argumentsOf(input, changed)).toEqual({ ...input, order: '008', amount: 25.5, urgent: true });
  expect(entryProblems(input, changed)).toEqual({});
  expect(entryProblems(input, { ...entries, amount: 'much', lines: '[' })).toEqual({
    amount: 'Write it as it was, such as 40.',
    lines: 'Write it as it was, such as [{"sku":"A"}].',
  });
});
