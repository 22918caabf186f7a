import { expect, test } from 'vitest';
import { changeRecord } from './audit.ts';

const subject = { id: 'agent_1', name: 'Ada' };
const change = { tenantId: null, action: 'updated', kind: 'agent', subject } as const;
const record = (before: object, after: object) =>
  changeRecord({ kind: 'admin' }, { ...change, before, after });

test('of two sides what differs is written down, by its path', () => {
  const { before, after } = record(
    { name: 'Ada', widget: { greeting: 'Hi', prompts: [] } },
    { name: 'Ada', widget: { greeting: 'Hello', prompts: [] } },
  );
  expect([before, after]).toEqual([{ 'widget.greeting': 'Hi' }, { 'widget.greeting': 'Hello' }]);
});

test('a value that is cut says how long it was', () => {
  const whole = `${'x'.repeat(999)}…`;
  const { before, after } = record(
    { instructions: whole, list: ['y'.repeat(2_000)] },
    { instructions: `${whole}x`, list: [] },
  );
  expect(before).toEqual({
    instructions: whole,
    list: `["${'y'.repeat(998)}… (of 2004 characters)`,
  });
  expect(after).toEqual({ instructions: `${whole}… (of 1001 characters)`, list: [] });
});

test('of more than a hundred fields an entry says how many it leaves out', () => {
  const of = (value: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`field ${index}`, value]));
  const many = record(of(1, 150), of(2, 150));
  expect(Object.keys(many.before ?? {})).toHaveLength(101);
  expect([many.before?.['…'], many.after?.['…'], many.after?.['field 99']]).toEqual([
    '50 more',
    '50 more',
    2,
  ]);
  expect(Object.keys(record(of(1, 100), of(2, 100)).after ?? {})).toHaveLength(100);
});
