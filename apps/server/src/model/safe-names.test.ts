import { expect, test } from 'vitest';
import { renamedKeys, safeNames } from './safe-names.ts';

const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const long = 'a'.repeat(65);

test('parameters whose names every provider takes stay the same', () => {
  const nested = object({ city: text, 'projects.any': { type: 'array', items: object({ _x: text }) } });
  expect(safeNames(nested)).toBeNull();
  // A page offers what it likes.
  expect(safeNames({ type: 'object', properties: { 'a b': text }, items: 5 })).toBeNull();
});

test('names are safe and apart from each other, at any depth, and arguments come back under their own', () => {
  const parameters = object(
    {
      'filter[name]': text,
      filter_name_: text,
      'StartTime<': { ...text, description: 'Before it.' },
      'StartTime>': text,
      数量: { type: 'integer' },
      '': text,
      [long]: text,
      $ref: object({ 'first name': text, $ref: text }, { required: ['first name'] }),
      items: { type: 'array', items: { anyOf: [{ $ref: '#/properties/$ref' }, object({ 'a/b': text })] } },
    },
    {
      required: ['filter[name]', 'filter_name_', '数量'],
      $defs: { 'some thing': { $ref: '#/properties/items/items/anyOf/1/properties/a~1b' } },
    },
  );
  const names = safeNames(parameters);
  expect(names?.parameters).toEqual(
    object(
      {
        filter_name__2: { ...text, description: 'filter[name]' },
        filter_name_: text,
        StartTime_: { ...text, description: 'StartTime<: Before it.' },
        StartTime__2: { ...text, description: 'StartTime>' },
        __: { type: 'integer', description: '数量' },
        _: { ...text, description: '' },
        [long.slice(0, 56)]: { ...text, description: long },
        _ref: {
          ...object(
            { first_name: { ...text, description: 'first name' }, _ref: { ...text, description: '$ref' } },
            { required: ['first_name'] },
          ),
          description: '$ref',
        },
        items: {
          type: 'array',
          items: {
            anyOf: [{ $ref: '#/properties/_ref' }, object({ a_b: { ...text, description: 'a/b' } })],
          },
        },
      },
      {
        required: ['filter_name__2', 'filter_name_', '__'],
        $defs: { 'some thing': { $ref: '#/properties/items/items/anyOf/1/properties/a_b' } },
      },
    ),
  );
  expect(safeNames(parameters)).toBe(names);
  const own = { 'filter[name]': 'x', filter_name_: 'y', items: [{ 'first name': 'Ada', 'a/b': ['c'] }] };
  const safe = { filter_name__2: 'x', filter_name_: 'y', items: [{ first_name: 'Ada', a_b: ['c'] }] };
  expect(renamedKeys(own, names!.safe)).toEqual(safe);
  expect(renamedKeys(safe, names!.own)).toEqual(own);
});

test('of names that are all alike each has one of its own, and arguments without end are left as they are', () => {
  const alike = Array.from({ length: 5_000 }, (_, index) => [String.fromCodePoint(0x4e00 + index), text]);
  const names = safeNames(object(Object.fromEntries(alike)));
  expect(names?.own.size).toBe(5_000);
  const deep: unknown = JSON.parse('{"_":'.repeat(100_000) + '0' + '}'.repeat(100_000));
  expect(Object.keys(Object(renamedKeys(deep, names!.own)))).toEqual(['一']);
});
