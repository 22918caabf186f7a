import { expect, test } from 'vitest';
import { fieldName, fieldNames } from './field-name.ts';
import { fieldValue } from './field-value.ts';
import { textParts } from './text-parts.ts';

test.each([
  ['widget.greeting', 'Greeting'],
  ['model.apiKey', 'API key'],
  ['instructions', 'Instructions'],
  ['widget.consent.text', 'Consent, text'],
  ['limits.turnsPerKeyPerDay', 'Limits, turns per key per day'],
])('%s is called %s', (field, name) => expect(fieldName(field)).toBe(name));

test('a line names four fields, and counts the others', () => {
  expect(fieldNames(['name', 'instructions'])).toBe('Name, Instructions');
  expect(fieldNames(['name', 'a', 'b', 'c', 'd', 'e'])).toBe('Name, A, B, C and 2 more');
});

test.each([
  [undefined, 'Not set'],
  [true, 'Yes'],
  [['One?', 'Two?'], 'One?\nTwo?'],
  [[], 'None'],
  [{ set: true, last4: '1234' }, 'One ending in 1234'],
  [0.5, '0.5'],
])('%j is read as %j', (value, text) => expect(fieldValue(value)).toBe(text));

test('of two long texts one reads what differs, and what stands around it', () => {
  const far = 'And so on. '.repeat(100);
  const parts = textParts(`${far}Be brief and kind.${far}`, `${far}Be brief and formal.${far}`);
  expect(parts.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'kind' },
    { kind: 'added', text: 'formal' },
  ]);
  const same = parts.filter(({ kind }) => kind === 'same').map(({ text }) => text);
  expect(same[0]).toMatch(/^… .*Be brief and $/);
  expect(same.join('').length).toBeLessThan(400);
});
