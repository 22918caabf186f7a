import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openapiDocument } from './openapi.ts';
import type { NamedSchema, Route } from './route.ts';
import { parametersOf } from './route-parameters.ts';
import { routes } from './routes.ts';

const printed: unknown = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));

test('openapi.json is what the route table prints (pnpm --filter @parley/protocol openapi)', () => {
  expect(openapiDocument('parley')).toEqual(printed);
});

test('the document is valid OpenAPI 3.1 and every reference leads somewhere', async () => {
  const document = openapiDocument('parley');
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g);
  const names = new Set([...references].map(([, name]) => name));
  expect(names).toEqual(new Set(Object.keys(Object(document['components']).schemas)));
});

test('no two schemas have one name, whether they are sent or answered', () => {
  const shapes = new Map<string, Set<string>>();
  const note = ({ name, schema }: NamedSchema, io: 'input' | 'output') => {
    const shape = JSON.stringify(z.toJSONSchema(schema, { io }));
    shapes.set(name, new Set([...(shapes.get(name) ?? []), shape]));
  };
  for (const { body, responses } of routes('parley') as readonly Route[]) {
    if (typeof body === 'object') note(body, 'input');
    for (const { content = {} } of responses)
      for (const each of Object.values(content)) if (typeof each === 'object') note(each, 'output');
  }
  expect([...shapes].filter(([, { size }]) => size > 1).map(([name]) => name)).toEqual([]);
});

test('what leads on has a body in words', () => {
  const all = (routes('parley') as readonly Route[]).flatMap(({ name, responses }) =>
    responses.map((response) => ({ name, ...response })),
  );
  const leading = all.filter(({ headers }) => headers?.['Location'] !== undefined);
  expect(leading.length).toBeGreaterThan(4);
  expect(leading.filter(({ content }) => content?.['text/plain'] !== 'text').map(({ name }) => name)).toEqual(
    [],
  );
});

test('what is answered as JSON is described, and not as a text', () => {
  const undescribed = (routes('parley') as readonly Route[]).filter(({ responses }) =>
    responses.some(({ content = {} }) => typeof (content['application/json'] ?? {}) === 'string'),
  );
  expect(undescribed.map(({ name }) => name)).toEqual([]);
});

test('every field and parameter says what it means', () => {
  const document = openapiDocument('parley');
  const fields: { path: string; name: string; description?: string }[] = [];
  const walk = (schema: unknown, path: string): void => {
    for (const [word, value] of Object.entries(Object(schema) as Record<string, unknown>)) {
      if (word === 'properties')
        for (const [name, property] of Object.entries(Object(value) as Record<string, object>)) {
          fields.push({ path: `${path}.${name}`, name, ...property });
          walk(property, `${path}.${name}`);
        }
      else if (typeof value === 'object' && !['default', 'enum', 'const'].includes(word)) walk(value, path);
    }
  };
  for (const [name, schema] of Object.entries(Object(Object(document['components']).schemas)))
    walk(schema, name);
  expect(fields.filter(({ description = '' }) => description === '').map(({ path }) => path)).toEqual([]);
  const parameters = Object.values(Object(document['paths']) as Record<string, Record<string, object>>)
    .flatMap((methods) => Object.values(methods))
    .flatMap(
      (operation) => Object(operation).parameters as { in: string; name: string; description?: string }[],
    );
  expect(parameters.filter(({ description = '' }) => description === '')).toEqual([]);
  expect(fields.length).toBeGreaterThan(1_000);
});

test('what has to be in the query is asked for, and nothing else', () => {
  const required = (routes('parley') as readonly Route[]).flatMap((route) =>
    parametersOf(route)
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name }) => `${name} of ${route.path}`),
  );
  expect(required).toEqual([
    'agentId of /api/v1/settings/feedback',
    'agentId of /api/v1/settings/source-files',
    'filename of /api/v1/settings/source-files',
    'key of /v1/config',
    'key of /v1/frame',
  ]);
});

test('a call says that the service may be away, and one with a place in its path that this may be no text', () => {
  const { paths } = openapiDocument('parley') as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  const unsaid = (routes('parley') as readonly Route[]).flatMap(({ name, method, path }) => {
    const { responses } = paths[path.replaceAll(/:(\w+)/g, '{$1}')]![method]!;
    const wanted = ['503', ...(path.includes(':') ? ['400'] : [])];
    return wanted.filter((status) => !(status in responses)).map((status) => `${status} of ${name}`);
  });
  expect(unsaid).toEqual(['503 of live', '503 of readMetrics']);
});

test('paths and headers carry the platform name', () => {
  const text = JSON.stringify(openapiDocument('eve'));
  expect(text).toContain('/eve/v1/session/{id}/stream');
  expect(text).toContain('x-eve-session-id');
  expect(text).not.toContain('/parley/');
});

test('every route has a name of its own, and a literal path comes before a pattern that would take it', () => {
  const all = routes('parley');
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [index, { method, path }] of all.entries()) {
    const taken = all
      .slice(0, index)
      .filter((earlier) => earlier.method === method)
      .filter((earlier) => new RegExp(`^${earlier.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path));
    expect(taken, `${method} ${path}`).toEqual([]);
  }
});
