import { expect, test } from 'vitest';
import { OpenApiDocument } from './openapi-document.ts';
import { toolOfOperation } from './openapi-tool.ts';

const document = (text: string): OpenApiDocument => {
  const read = OpenApiDocument.read(text);
  if (typeof read === 'string') throw new Error(read);
  return read;
};

/** The tools of all operations. */
const tools = (text: string, address: string | null = null) => {
  const read = document(text);
  return read.operations.map((operation) => toolOfOperation(read, operation, address));
};

const shop = `
openapi: 3.0.3
info: { title: Shop, version: '1' }
servers: [{ url: 'https://{region}.shop.example/v1/', variables: { region: { default: eu } } }]
security: [{ key: [] }]
paths:
  /orders/{order-id}:
    parameters:
      - { name: order-id, in: path, required: true, schema: { type: string }, description: Its number. }
    get:
      operationId: getOrder
      summary: Look up an order
      parameters:
        - { $ref: '#/components/parameters/Expand' }
        - { name: X-Trace, in: header, required: true, schema: { type: string } }
    patch:
      summary: Change an order
      description: Before it is sent.
      security: [{ bearer: [] }]
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/OrderChange' } }
  /upload:
    post: { requestBody: { content: { multipart/form-data: { schema: {} } } }, security: [] }
components:
  parameters:
    Expand: { name: expand, in: query, schema: { type: array, items: { type: string } } }
  securitySchemes:
    key: { type: apiKey, in: query, name: api_key }
    bearer: { type: http, scheme: bearer }
  schemas:
    OrderChange:
      allOf:
        - $ref: '#/components/schemas/Noted'
        - type: object
          required: [size]
          properties:
            id: { type: string, readOnly: true }
            size: { type: integer, minimum: 0, exclusiveMinimum: true, example: 4 }
            parent: { $ref: '#/components/schemas/OrderChange' }
            outside: { $ref: 'https://elsewhere.example/schema.json' }
    Noted: { type: object, properties: { note: { type: string, nullable: true } } }
`;

test('each operation becomes a tool, with what it refers to in its place', () => {
  const [look, change, upload] = tools(shop);
  expect(look?.entries).toMatchObject({
    name: 'get_order',
    approval: 'never',
    description: 'Look up an order',
    method: 'GET',
    url: 'https://eu.shop.example/v1/orders/{{order-id}}',
    body: '',
    headers: '[]',
  });
  expect(JSON.parse(look?.entries.query ?? '')).toEqual([
    { id: 'query 0', name: 'expand', value: '{{expand}}', secret: false },
    { id: 'query 1', name: 'api_key', value: '', secret: true },
  ]);
  expect(JSON.parse(look?.entries.parameters ?? '')).toEqual({
    type: 'object',
    properties: {
      'order-id': { type: 'string', description: 'Its number.' },
      expand: { type: 'array', items: { type: 'string' } },
    },
    required: ['order-id'],
  });
  expect(look?.remarks).toEqual([expect.stringContaining('X-Trace')]);

  expect(change?.entries).toMatchObject({
    name: 'patch_orders_order_id',
    approval: 'always',
    description: 'Change an order\n\nBefore it is sent.',
    headers: '[{"id":"header 0","name":"Authorization"}]',
  });
  expect(JSON.parse(change?.entries.body ?? '')).toEqual({
    note: '{{note}}',
    size: '{{size}}',
    parent: '{{parent}}',
    outside: '{{outside}}',
  });
  expect(JSON.parse(change?.entries.parameters ?? '')).toMatchObject({
    properties: {
      note: { type: ['string', 'null'] },
      size: { type: 'integer', exclusiveMinimum: 0 },
      outside: {},
    },
    required: ['order-id', 'size'],
  });
  expect(change?.entries.parameters).not.toMatch(/example|"minimum"/);
  expect(change?.remarks).toEqual([expect.stringContaining('left open')]);
  expect(upload?.remarks).toEqual([expect.stringContaining('multipart/form-data')]);
});

test('lists and objects are sent as the API takes them, and what cannot be is said', () => {
  const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
  const text = { type: 'string' };
  const list = { type: 'array', items: text };
  const sizes = { type: 'array', items: { enum: ['s', 'm'] } };
  const parameters = [
    { name: 'ids', in: 'path', schema: list },
    { name: 'tag', in: 'query', schema: list },
    { name: 'size', in: 'query', explode: false, description: 'Which.', schema: sizes },
    { name: 'sort', in: 'query', style: 'pipeDelimited', schema: list },
    {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      required: true,
      schema: object({ name: text, in: object({}) }, { required: ['name'] }),
    },
    { name: 'page', in: 'query', schema: object({ limit: { type: 'integer' } }) },
    { name: 'where', in: 'query', content: { 'application/json': { schema: object({ a: text }) } } },
    { name: 'order', in: 'query', explode: false, schema: object({ by: text }) },
    { name: 'point', in: 'path', style: 'matrix', schema: text },
  ];
  const paths = { '/a/{ids}/{point}': { get: { parameters } } };
  const [made] = tools(JSON.stringify({ openapi: '3.1.0', paths }));
  const query: { name: string; value: string }[] = JSON.parse(made?.entries.query ?? '');
  expect(query.map(({ name, value }) => [name, value])).toEqual([
    ['tag', '{{tag}}'],
    ['size', '{{size}}'],
    ['sort', '{{sort}}'],
    ['filter[name]', '{{filter_name_}}'],
    ['filter[in]', '{{filter_in_}}'],
    ['limit', '{{limit}}'],
    ['where', '{{where}}'],
    ['order', '{{order}}'],
  ]);
  expect(JSON.parse(made?.entries.parameters ?? '')).toEqual({
    type: 'object',
    properties: {
      ids: { ...text, description: 'Several are separated by commas.' },
      tag: list,
      size: { ...text, description: 'Which. Several are separated by commas. Each is one of s, m.' },
      sort: { ...text, description: 'Several are separated by |.' },
      filter_name_: text,
      filter_in_: object({}),
      limit: { type: 'integer' },
      where: object({ a: text }),
      order: object({ by: text }),
      point: text,
    },
    required: ['ids', 'filter_name_', 'point'],
  });
  expect(made?.remarks.map((remark) => remark.split(' ')[0])).toEqual(['filter[in]', 'order', 'point']);
  expect(made?.remarks[1]).toContain('(form)');
});

test('JSON is read as well, and an address that is relative is one of the document', () => {
  const text = JSON.stringify({ openapi: '3.1.0', servers: [{ url: '/api' }], paths: { '/a': { get: {} } } });
  expect(tools(text, 'https://a.example/docs/openapi.json')[0]?.entries.url).toBe('https://a.example/api/a');
  expect(tools(text)[0]?.entries.url).toBe('/api/a');
});

test('a document that grows as it is read is read up to a bound', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const $ref = `#/components/schemas/s${index + 1}`;
      return [`s${index}`, { type: 'object', properties: { a: { $ref }, b: { $ref }, c: { $ref } } }];
    }),
  );
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/s0' } } };
  const paths = Object.fromEntries(
    Array.from({ length: 700 }, (_, index) => [`/${index}`, { post: { requestBody: { content } } }]),
  );
  const read = document(JSON.stringify({ openapi: '3.1.0', paths, components: { schemas } }));
  expect([read.operations.length, read.left]).toEqual([500, 200]);
  const made = toolOfOperation(read, read.operations[0]!, null);
  expect(made.entries.parameters?.length).toBeLessThan(1_000_000);
  expect(made.remarks).toHaveLength(1);
});

const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefghi'
  .split('')
  .map(
    (name, index) =>
      `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[index]}`).join(', ')}]`,
  )
  .join('\n')}`;

test.each([
  ['', /neither/],
  ['just a sentence', /neither/],
  ['a: [', /neither/],
  [bomb, /neither/],
  ['swagger: "2.0"', /Swagger 2/],
  ['{"name":"package"}', /no API/],
  ['{"openapi":"3.1.0","paths":{}}', /no operation/],
  ['x'.repeat(5_000_001), /5 MB/],
])('what describes no API is said', (text, sentence) => {
  expect(OpenApiDocument.read(text)).toMatch(sentence);
});

test('a document of very many keys is read', () => {
  const keys = Array.from({ length: 30_000 }, (_, index) => `key${index}: 1`);
  const text = ['openapi: 3.1.0', 'paths: {/a: {get: {}}}', ...keys].join('\n');
  expect(OpenApiDocument.read(text)).toMatchObject({ operations: [{ method: 'GET', path: '/a' }] });
});
