import { maxEventBytes, maxStepTextBytes } from '@parley/protocol/bounds';
import { expect, test } from 'vitest';
import { ModelError } from '../model/model-error.ts';
import { parseResult } from './parse-result.ts';

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

test('a value that fits is given back', async () => {
  expect(await parseResult('{"city":"Oslo"}', city)).toEqual({ city: 'Oslo' });
});

test.each<[string, string, Record<string, unknown>, RegExp]>([
  ['what is no JSON', 'Oslo', city, /answered something else/],
  [
    'what does not fit, by its first mismatch only',
    '{"a":1}',
    { ...city, additionalProperties: false },
    /schema: must have required property 'city'\.$/,
  ],
  [
    'what is longer than an event may be',
    JSON.stringify('x'.repeat(maxEventBytes)),
    city,
    new RegExp(`more than ${maxStepTextBytes} bytes`),
  ],
  ['deep nesting', '['.repeat(10_000) + ']'.repeat(10_000), {}, /nested too deep/],
  [
    'what takes too long to check',
    JSON.stringify(Array.from({ length: 20_000 }, () => [])),
    { items: { anyOf: [...Array.from({ length: 500 }, () => ({ minItems: 1 })), true] } },
    /takes too long/,
  ],
  [
    'a schema that an older version let through',
    '{}',
    { type: 'of a kind' },
    /schema cannot be checked: type must be/,
  ],
])('fails the turn on %s', async (_what, text, schema, message) => {
  const failed = parseResult(text, schema);
  await expect(failed).rejects.toThrow(ModelError);
  await expect(failed).rejects.toThrow(message);
});

const order = (type: string) => ({ type: 'object', properties: { id: { type } } });

test('a long whole number keeps its digits, as a text', async () => {
  expect(await parseResult('{"id":9007199254740993}', {})).toEqual({ id: '9007199254740993' });
  expect(await parseResult('{"id":9007199254740993}', order('string'))).toEqual({ id: '9007199254740993' });
});

test('one that has to be a number fails the turn, since it would be another one', async () => {
  const failed = parseResult('{"id":9007199254740993}', order('integer'));
  await expect(failed).rejects.toThrow(/schema: \/?.*id must be integer/);
});
