import { openapiDocument } from '@parley/protocol/openapi';
import type { NamedSchema, Route } from '@parley/protocol/route';
import { parametersOf } from '@parley/protocol/route-parameters';
import { routes } from '@parley/protocol/routes';
import { expect, test } from 'vitest';
import { exampleOf } from './example-of.ts';
import { fieldsOf } from './fields-of.ts';
import type { Schemas } from './json-schema.ts';
import { operationHtml, requestExample } from './operation-html.ts';

const { schemas } = openapiDocument('parley')['components'] as { schemas: Schemas };
const table: readonly Route[] = routes('parley');

test('every example is one that its schema takes', () => {
  const faults = ({ name, schema }: NamedSchema, example: unknown) => {
    const { success, error } = schema.safeParse(example);
    return success ? [] : [{ name, example, issues: error.issues }];
  };
  const sent = table.flatMap((route) =>
    typeof route.body === 'object' ? faults(route.body, requestExample(route, schemas)) : [],
  );
  const named = table
    .flatMap(({ responses }) => responses.flatMap(({ content = {} }) => Object.values(content)))
    .filter((content) => typeof content === 'object');
  const distinct = [...new Map(named.map((each) => [each.name, each])).values()];
  const answered = distinct.flatMap((each) => faults(each, exampleOf(schemas[each.name] ?? {}, schemas)));
  expect([...sent, ...answered]).toEqual([]);
  expect(distinct.length).toBeGreaterThan(50);
});

test('every request that is shown has what the call has to have beside its body', () => {
  const context = { schemas, publicUrl: 'https://chat.example', link: (name: string) => `#${name}` };
  const missing = table.flatMap((route) => {
    const [, shown = ''] = operationHtml(route, context).split('</table>');
    return parametersOf(route)
      .filter((parameter) => parameter.required && parameter.in !== 'path')
      .filter(({ in: place, name }) => !shown.includes(place === 'query' ? `${name}=` : `${name}: `))
      .map(({ name }) => `${name} of ${route.name}`);
  });
  expect(missing).toEqual([]);
});

test('of a union each field says where it belongs, and lists and maps say what is in them', () => {
  const kinds = {
    oneOf: [
      {
        properties: { kind: { const: 'a' }, size: { type: 'integer', minimum: 1, maximum: 9 } },
        required: ['kind', 'size'],
      },
      {
        properties: {
          kind: { const: 'b' },
          tags: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        },
        required: ['kind'],
      },
    ],
  };
  expect(
    fieldsOf(kinds).map(({ path, type, description, bounds, required }) => [
      path,
      type,
      description,
      bounds,
      required,
    ]),
  ).toEqual([
    ['kind', '"a" or "b"', '', '', true],
    ['size', 'integer', 'With `kind` `a`.', '1 to 9', false],
    ['tags', 'list of object', 'With `kind` `b`.', '', false],
    ['tags[].name', 'string', '', '', false],
  ]);
});
