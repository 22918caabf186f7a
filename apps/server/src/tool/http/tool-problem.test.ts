import type { HttpToolSettings } from '@parley/protocol/settings/http-tool';
import { expect, test } from 'vitest';
import { toolProblem } from './tool-problem.ts';

type Settings = Parameters<typeof toolProblem>[0];

const parameters = {
  type: 'object' as const,
  properties: { id: { type: 'string' }, note: { type: 'string' } },
};

function settings(request: Partial<HttpToolSettings['request']>, more: Partial<Settings> = {}): Settings {
  return {
    name: 'get_order',
    parameters,
    approval: 'never',
    request: { method: 'POST', url: 'https://shop.example.com/orders/{{id}}', ...request },
    ...more,
  };
}

const problemOf = (of: Settings) => toolProblem(of, 'x-parley-visitor');

test('good settings have no problem', () => {
  const body = { note: '{{note}}', nested: [{ text: 'About {{ id }}' }] };
  expect(
    problemOf(settings({ body, query: { q: '{{note}}' }, headers: { 'X-Key': 'abc', 'X-Id': '{{id}}' } })),
  ).toBeUndefined();
});

test.each(['ask_question', 'search_knowledge', 'ask_team', 'contact_read', 'contact_update', 'contact_move'])(
  'the name of %s, which agents have by themselves, is rejected',
  (name) => {
    expect(problemOf(settings({}, { name }))).toEqual({
      path: ['name'],
      message: expect.stringContaining(`${name} is a tool`),
    });
  },
);

test.each([
  'https://{{id}}.example.com/',
  'https://{{id}}/',
  '{{id}}://shop.example.com/',
  'https://shop.example.com:{{id}}/',
  'https://{{id}}@shop.example.com/',
  'https://user:pass@shop.example.com/',
  'https://shop.example.com\\@evil.example/',
  'https://shop.example.com/\\{{id}}',
  'https://shop.example.com?x={{id}}',
  'https://shop.example.com/a?x=1',
  'https://shop.example.com/a#{{id}}',
  'https://shop.example.com:99999/',
  'ftp://shop.example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '/orders',
  '',
])('the URL %s is rejected', (url) => {
  expect(problemOf(settings({ url }))?.path).toEqual(['request', 'url']);
});

test.each([
  'Host',
  'content-length',
  'Transfer-Encoding',
  'Connection',
  'Upgrade',
  'TE',
  'Trailer',
  'Proxy-Authorization',
  'proxy-anything',
  'Cookie',
  'X Y',
  'X-{{id}}',
  'X:Y',
])('the header %s is rejected', (header) => {
  expect(problemOf(settings({ headers: { [header]: 'x' } }))?.path).toEqual(['request', 'headers', header]);
});

test.each(['a\r\nX-Other: 1', 'a\nb', 'a\0b', 'a\x7fb'])('the header value %j is rejected', (value) => {
  expect(problemOf(settings({ headers: { 'X-Key': value } }))?.path).toEqual(['request', 'headers', 'X-Key']);
});

test('a placeholder stands for a declared parameter, and for a value only', () => {
  expect(problemOf(settings({ query: { q: '{{other}}' } }))?.message).toBe(
    '{{other}} is not one of the parameters.',
  );
  expect(problemOf(settings({ body: { deep: ['{{constructor}}'] } }))?.message).toContain('{{constructor}}');
  expect(problemOf(settings({ query: { '{{id}}': 'x' } }))?.message).toContain('not a name');
  expect(problemOf(settings({ body: { list: [{ '{{id}}': 1 }] } }))?.message).toContain('not a name');
});

test('GET and HEAD have no body', () => {
  expect(problemOf(settings({ method: 'GET', body: {} }))?.path).toEqual(['request', 'body']);
  expect(problemOf(settings({ method: 'HEAD', body: null }))?.path).toEqual(['request', 'body']);
});

test.each(['ask_question', '', '1tool', 'get order', 'a'.repeat(65), 'naïve'])(
  'the name %j is rejected',
  (name) => {
    expect(problemOf(settings({}, { name }))?.path).toEqual(['name']);
  },
);

const chain = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [
    `d${index}`,
    index === 39 ? false : { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
  ]),
);

test.each([
  ['an unknown type', { properties: { id: { type: 'nothing' } } }],
  ['properties that are no object', { properties: [] }],
  ['a lookahead, which only a backtracking engine runs', { properties: { id: { pattern: '(?=a)b' } } }],
  ['a pattern that unfolds', { properties: { id: { pattern: '[ab]{900}'.repeat(20) } } }],
  ['a backreference', { properties: { id: { pattern: '(a)\\1' } } }],
  ['a remote reference', { properties: { id: { $ref: 'https://evil.example/schema.json' } } }],
  ['a reference to nothing', { properties: { id: { $ref: '#/$defs/none' } } }],
  ['a reference to itself', { properties: { id: { $ref: '#' } } }],
  ['references that double the work 40 times', { properties: { id: { $ref: '#/$defs/d0' } }, $defs: chain }],
  ['a schema of more than 64 KB', { description: 'x'.repeat(70_000) }],
])('parameters with %s are rejected', (_what, schema) => {
  expect(problemOf(settings({}, { parameters: { type: 'object', ...schema } }))?.path).toEqual([
    'parameters',
  ]);
});

test('a pattern, a dialect and a reference inside the schema are accepted', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://shop.example.com/order',
    type: 'object' as const,
    properties: { id: { $ref: '#/definitions/id' } },
    definitions: { id: { type: 'string', pattern: '^[\\w-]{1,20}/\\d+$' } },
  };
  expect(problemOf(settings({}, { parameters: schema }))).toBeUndefined();
  expect(problemOf(settings({}, { parameters: structuredClone(schema) }))).toBeUndefined();
});

test('visitor.id may stand wherever a parameter may, and nothing else of a visitor anywhere', () => {
  const url = 'https://shop.example.com/customers/{{visitor.id}}';
  const everywhere = { query: { q: '{{visitor.id}}' }, headers: { 'X-For': '{{visitor.id}}' } };
  expect(problemOf(settings({ url, ...everywhere, body: { for: ['{{visitor.id}}'] } }))).toBeUndefined();
  for (const name of ['visitor.email', 'visitor.', 'visitor', 'visitor.id.x'])
    expect(problemOf(settings({ body: { for: `{{${name}}}` } }))?.path, name).toEqual(['request']);
});

test('no parameter may stand in for the visitor, and no header be set in the place of theirs', () => {
  for (const name of ['visitor.id', 'visitor.other']) {
    const declared = { type: 'object' as const, properties: { [name]: { type: 'string' } } };
    const path = ['parameters', 'properties', name];
    expect(problemOf(settings({ url: 'https://a.example/' }, { parameters: declared }))?.path).toEqual(path);
  }
  for (const header of ['x-parley-visitor', 'X-Parley-Visitor'])
    expect(problemOf(settings({ headers: { [header]: 'ada' } }))?.message).toContain(
      'filled from the session',
    );
});

test('a sentence for visitors names parameters only', () => {
  const display = (en: string) => ({ display: { title: { en: 'Order' }, summary: { en } } });
  expect(problemOf(settings({}, display('Order {{id}}, {{ note }}')))).toBeUndefined();
  expect(problemOf(settings({}, display('Order {{ID}}')))).toEqual({
    path: ['display', 'summary', 'en'],
    message: '{{ID}} is not one of the parameters.',
  });
});
