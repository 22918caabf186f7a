import { expect, test } from 'vitest';
import { createAgentTools } from '../agent-tools.ts';
import type { ClientTool } from '../tool.ts';
import { flatParameters } from './flat-parameters.ts';

const text = { type: 'string' };
const named = (name: string, more: object = {}) => ({
  type: 'object',
  properties: { [name]: text, ...more },
  required: [name],
});

test('a model is offered parameters with nothing combined at their root, and held against them as they are', () => {
  const parameters = { type: 'object', anyOf: [named('content'), named('url')] };
  const tool: ClientTool = {
    executor: 'client',
    name: 'attach',
    description: '',
    parameters,
    invalid: () => undefined,
  };
  const tools = createAgentTools([{ forSession: () => [tool], close: () => Promise.resolve() }]);
  const set = tools.forSession({ interface: 'sessions', canRequestInput: true, clientTools: [] });
  expect(set.offered[0]?.parameters).toEqual({ type: 'object', properties: { content: text, url: text } });
  expect(set.tools.get('attach')?.parameters).toBe(parameters);
});

test('what all branches need is needed, and what differs between them is any of it', () => {
  const kind = (value: string) => ({ kind: { const: value } });
  const parameters = {
    type: 'object',
    description: 'Pays.',
    properties: { amount: { type: 'number' } },
    required: ['amount'],
    allOf: [named('note')],
    oneOf: [
      { $ref: '#/$defs/card' },
      { ...named('iban', kind('transfer')), required: ['iban', 'kind'] },
      true,
    ],
    anyOf: [{ required: ['kind'] }, { required: ['kind', 'iban'] }],
    not: { required: ['nothing'] },
    $defs: { card: { ...named('number', kind('card')), required: ['number', 'kind'] } },
  };
  expect(flatParameters(parameters)).toEqual({
    type: 'object',
    description: 'Pays.',
    properties: {
      amount: { type: 'number' },
      note: text,
      number: text,
      kind: { anyOf: [{ const: 'card' }, { const: 'transfer' }] },
      iban: text,
    },
    required: ['amount', 'note', 'kind'],
    $defs: parameters.$defs,
  });
  const plain = named('a', { nested: { anyOf: [text] } });
  expect(flatParameters(plain)).toBe(plain);
  // A page offers what it likes.
  for (const $ref of ['#', '#/nowhere', 'https://example.com/'])
    expect(flatParameters({ type: 'object', anyOf: [{ $ref }] })).toEqual({
      type: 'object',
      anyOf: [{ $ref }],
    });
});

test('no reference leads to what is put together', () => {
  const parameters = {
    type: 'object',
    properties: { from: { $ref: '#/anyOf/1/properties/to' } },
    anyOf: [{ $ref: '#/$defs/by' }, { properties: { to: { type: 'object', properties: { a: text } } } }],
    $defs: {
      by: { properties: { by: { description: 'Who.', $ref: '#/anyOf/1/properties/to/properties/a' } } },
    },
  };
  expect(flatParameters(parameters)).toEqual({
    type: 'object',
    properties: {
      from: parameters.anyOf[1]?.properties?.to,
      by: { ...text, description: 'Who.' },
      to: parameters.anyOf[1]?.properties?.to,
    },
    $defs: { by: { properties: { by: { ...text, description: 'Who.' } } } },
  });
});

test('parameters that references make huge stay as they are', () => {
  const parameters = {
    type: 'object',
    anyOf: Array.from({ length: 1_000 }, () => ({ $ref: '#/$defs/long' })),
    $defs: { long: { required: Array.from({ length: 4_000 }, (_, n) => `n${n}`) } },
  };
  expect(flatParameters(parameters)).toBe(parameters);
  const to = { description: 'x'.repeat(1_000) };
  const repeated = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`p${n}`, { $ref: '#/anyOf/0/properties/to' }]),
  );
  const long = { type: 'object', properties: repeated, anyOf: [{ properties: { to } }] };
  expect(flatParameters(long)).toBe(long);
});
