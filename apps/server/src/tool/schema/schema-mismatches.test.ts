import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from '../../model/model.ts';
import { schemaMismatches } from './schema-mismatches.ts';

const run = promisify(execFile);

const name = fc.constantFrom('a', 'b', 'c');
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, 1.5, -1, '', 'a', 'ab', 'é😀', 'b1'),
  fc.constantFrom<unknown>([], {}, [1], { a: 1 }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const count = fc.constantFrom(0, 1, 2);
const number = fc.constantFrom(-1, 0, 1, 1.5, 2);
const pattern = fc.constantFrom('^a', 'b$', '[0-9]', '^$');
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array');

const { schema } = fc.letrec<{ schema: JsonSchema | boolean }>((tie) => {
  const part = tie('schema');
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  const map = fc.dictionary(name, part, { maxKeys: 2, noNullPrototype: true });
  const keyword = <T>(key: string, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<JsonSchema> =>
    arbitrary.map((given) => ({ [key]: given }));
  const keywords = fc.oneof(
    keyword('type', fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))),
    keyword('enum', fc.uniqueArray(scalar, { minLength: 1, maxLength: 3, selector: JSON.stringify })),
    keyword('const', value),
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((key) => keyword(key, number)),
    keyword('multipleOf', fc.constantFrom(0.5, 1, 2)),
    ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map((key) =>
      keyword(key, count),
    ),
    keyword('pattern', pattern),
    keyword('uniqueItems', fc.boolean()),
    keyword('required', fc.uniqueArray(name, { maxLength: 2 })),
    keyword(
      'dependentRequired',
      fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2, noNullPrototype: true }),
    ),
    ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((key) => keyword(key, parts)),
    ...['not', 'items', 'additionalProperties', 'propertyNames'].map((key) => keyword(key, part)),
    ...['properties', 'dependentSchemas'].map((key) => keyword(key, map)),
    keyword('patternProperties', fc.dictionary(pattern, part, { maxKeys: 2, noNullPrototype: true })),
    fc.record({ contains: part, minContains: count, maxContains: count }, { requiredKeys: ['contains'] }),
    fc
      .tuple(part, part, part)
      .map((three) => Object.fromEntries(['if', 'then', 'else'].map((key, index) => [key, three[index]]))),
    fc.constantFrom<JsonSchema>({ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.boolean(),
      fc
        .array(keywords, { minLength: 1, maxLength: 3 })
        .map((all) => Object.assign({}, ...all) as JsonSchema)
        // Beside a tuple, Ajv lets an empty list pass that contains nothing of what it has to.
        .map(({ prefixItems, ...rest }) =>
          prefixItems === undefined || 'contains' in rest ? rest : { ...rest, prefixItems },
        ),
    ),
  };
});

const leaf = fc.constantFrom<JsonSchema | boolean>(
  true,
  false,
  { type: 'string' },
  { type: 'object', properties: { a: true } },
);
const whole = fc.record({ root: schema, a: leaf, b: leaf }).map(({ root, a, b }): JsonSchema => ({
  ...(typeof root === 'boolean' ? { allOf: [root] } : root),
  $defs: { a, b },
}));

function independentValidator(schema: JsonSchema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, logger: false });
  // Ajv throws while it notes what `patternProperties` has looked at beside some `oneOf`; only the `unevaluated…`
  // keywords, which are not drawn here, read that note.
  ajv.opts.unevaluated = false;
  return ajv.compile(schema);
}

test('a value fits a schema exactly when an independent validator says so', () => {
  fc.assert(
    fc.property(whole, fc.array(value, { minLength: 1, maxLength: 5 }), (written, values) => {
      const expected = independentValidator(written);
      for (const given of values) {
        const { found, tooMuch } = schemaMismatches(written, given, 5);
        expect({ fits: found.length === 0, tooMuch }).toEqual({ fits: expected(given), tooMuch: false });
      }
    }),
    { numRuns: 150 },
  );
});

test('an empty list contains nothing, beside a tuple too', () => {
  const { found } = schemaMismatches({ prefixItems: [true], contains: true }, [], 5);
  expect(found).not.toEqual([]);
});

const both = { allOf: [{ properties: { a: true } }], unevaluatedProperties: false };
const either = { anyOf: [{ required: ['a'], properties: { a: true } }, { properties: { b: true } }] };

test.each<[string, JsonSchema, unknown, boolean]>([
  ['a property that a part of allOf names', both, { a: 1 }, true],
  ['one that nothing names', both, { b: 1 }, false],
  ['those of every alternative that fits', { ...either, unevaluatedProperties: false }, { a: 1, b: 1 }, true],
  [
    'those of an alternative that does not fit',
    { ...either, unevaluatedProperties: false },
    { a: 1, c: 1 },
    false,
  ],
  [
    'what stands behind a reference',
    {
      $ref: '#/$defs/a',
      $defs: { a: { properties: { a: true } } },
      unevaluatedProperties: { type: 'string' },
    },
    { a: 1, b: 'x' },
    true,
  ],
  ['items beyond the tuple', { prefixItems: [true], unevaluatedItems: false }, [1, 2], false],
  [
    'items of a tuple in another part',
    { allOf: [{ prefixItems: [true, true] }], unevaluatedItems: false },
    [1, 2],
    true,
  ],
  [
    'items under a condition that holds',
    { if: { prefixItems: [{ const: 1 }] }, unevaluatedItems: false },
    [1],
    true,
  ],
  [
    'items under the branch that is not taken',
    { if: true, else: { prefixItems: [true] }, unevaluatedItems: false },
    [1],
    false,
  ],
  [
    'items that contain what is wanted',
    { contains: { type: 'string' }, unevaluatedItems: { type: 'number' } },
    ['a', 1],
    true,
  ],
])('what no keyword has looked at: %s', (_what, written, given, fits) => {
  expect(schemaMismatches(written, given, 1).found.length === 0).toBe(fits);
});

test('nothing is kept of 2,000 schemas that were refused and 2,000 that were used', async () => {
  const path = fileURLToPath(new URL('./schema-memory.ts', import.meta.url));
  const { stdout } = await run(process.execPath, ['--expose-gc', path]);
  expect(JSON.parse(stdout).grown).toBeLessThan(2 * 1024 * 1024);
});
