import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpToolSettings } from '@parley/protocol/settings/http-tool';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEgress, type Egress } from '../../egress/egress.ts';
import { httpTool } from './http-tool.ts';
import type { ServerTool } from '../tool.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let received: Received[] = [];
let reply: {
  status?: number;
  type?: string;
  body?: string | ((request: Received) => string);
  silent?: boolean;
} = {};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
    received.push(seen);
    if (reply.silent) return;
    response.writeHead(reply.status ?? 200, { 'content-type': reply.type ?? 'application/json' });
    response.end(typeof reply.body === 'function' ? reply.body(seen) : (reply.body ?? '{"done":true}'));
  });
});
let origin = '';
let egress: Egress;

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  egress = createEgress({ allow: [`127.0.0.1:${port}`] });
});
beforeEach(() => {
  received = [];
  reply = {};
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  server.close();
});

const visitorHeader = { name: 'x-parley-visitor', issuer: 'https://chat.example', secret: 's'.repeat(32) };
const any = { type: 'object' as const, properties: { a: {}, b: {} } };

function tool(
  request: Partial<HttpToolSettings['request']>,
  more: Partial<HttpToolSettings> = {},
): ServerTool {
  const { url = '/', ...rest } = request;
  const settings: HttpToolSettings = {
    id: 'tool_1',
    createdAt: '2026-01-01T00:00:00.000Z',
    agentId: 'agent_1',
    kind: 'http',
    name: 'act',
    description: 'Acts.',
    parameters: any,
    approval: 'never',
    interfaces: ['chat', 'sessions'],
    visibility: 'status',
    timeoutMs: 5_000,
    ...more,
    request: { method: 'POST', url: url.startsWith('/') ? `${origin}${url}` : url, ...rest },
  };
  return httpTool({ settings, egress, tenantId: 'tenant_1', visitorHeader });
}

const delivery = {
  callId: 'call_1',
  idempotencyKey: 'key_1',
  visitor: null,
  sessionId: 'session_1',
  session: 'digest',
};
const run = (
  subject: ServerTool,
  input: Record<string, unknown> = {},
  signal = new AbortController().signal,
) => subject.execute(input, { ...delivery, signal });
const runFor = (visitor: string | null, subject: ServerTool, input: Record<string, unknown> = {}) =>
  subject.execute(input, { ...delivery, visitor, signal: new AbortController().signal });

test('placeholders fill path, query, headers and body, each in its own encoding', async () => {
  const subject = tool({
    url: '/orders/{{a}}/lines/x{{b}}',
    query: { q: '{{a}}', fixed: '1&2', both: '{{a}}-{{b}}' },
    headers: { 'X-A': 'is {{a}}' },
    body: { text: 'a={{a}}', a: '{{a}}', b: '{{b}}', list: ['{{b}}', 2, null] },
  });
  expect(await run(subject, { a: 'é/ ?#&%2e', b: 7 })).toEqual({ ok: true, output: { done: true } });
  const [{ method, url, headers, body } = {}] = received;
  expect(method).toBe('POST');
  expect(url).toBe(
    '/orders/%C3%A9%2F%20%3F%23%26%252e/lines/x7?q=%C3%A9%2F+%3F%23%26%252e&fixed=1%262&both=%C3%A9%2F+%3F%23%26%252e-7',
  );
  expect(headers?.['x-a']).toBe('is \u00e9/ ?#&%2e');
  expect(headers?.['idempotency-key']).toBe('key_1');
  expect(headers?.['content-type']).toBe('application/json');
  expect(JSON.parse(body ?? '')).toEqual({ text: 'a=é/ ?#&%2e', a: 'é/ ?#&%2e', b: 7, list: [7, 2, null] });
});

test('what an argument contains is neither a template nor JSON syntax', async () => {
  const a = '","admin":true,"x":"{{b}}';
  await run(tool({ body: { a: '{{a}}', text: '<{{a}}>', admin: false } }), { a, b: 'secret' });
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ a, text: `<${a}>`, admin: false });
});

test('a value that is one placeholder keeps its JSON type', async () => {
  await run(tool({ body: '{{a}}' }), { a: { deep: [1, null, false] } });
  expect(received[0]?.body).toBe('{"deep":[1,null,false]}');
});

test('an entry whose only placeholder has no argument is left out', async () => {
  const subject = tool({
    query: { a: '{{a}}', b: '{{b}}' },
    headers: { 'X-A': '{{a}}' },
    body: { a: '{{a}}', kept: 'no {{a}}', list: ['{{a}}', 1] },
  });
  await run(subject, { b: ['x', 'y'] });
  expect(received[0]?.url).toBe('/?b=x&b=y');
  expect(received[0]?.headers['x-a']).toBeUndefined();
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ kept: 'no ', list: [1] });
});

test.each([
  '..',
  '.',
  '',
  '../admin',
  'a/../../admin',
  '..\\admin',
  '%2e%2E',
  'a/.',
  undefined,
  null,
  {},
  ['..'],
])('the path argument %j is rejected and nothing is sent', async (a) => {
  const subject = tool({ url: '/orders/{{a}}/x' });
  expect(subject.invalid({ a })).toContain('a must');
  expect(await run(subject, { a })).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
  expect(received).toEqual([]);
});

test('literal and argument together cannot make dots either', async () => {
  expect(await run(tool({ url: '/orders/.{{a}}' }), { a: '.' })).toMatchObject({ ok: false });
  expect(await run(tool({ url: '/orders/{{a}}{{b}}' }), { a: '.', b: '.' })).toMatchObject({ ok: false });
  expect(await run(tool({ url: '/orders/.{{a}}' }), { a: './admin' })).toMatchObject({ ok: false });
  expect(received).toEqual([]);
});

test.each(['x\r\nX-Admin: 1', 'x\ny', 'x\0', '\x7f', 'x\ty', 'Ā'])(
  'the header argument %j is rejected',
  async (a) => {
    expect(await run(tool({ headers: { 'X-A': '{{a}}' } }), { a })).toMatchObject({
      ok: false,
      code: 'INVALID_ARGUMENTS',
    });
    expect(received).toEqual([]);
  },
);

test('arguments are checked against the schema, with every fault named', () => {
  const subject = tool(
    {},
    {
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', pattern: '^[a-z]+$' },
          unit: { enum: ['c', 'f'] },
          tags: { type: 'array', uniqueItems: true },
          zip: { type: 'string', pattern: '^\\d{4}$' },
        },
        required: ['city'],
        additionalProperties: false,
      },
    },
  );
  expect(
    subject.invalid({ city: 'bern', zip: '3000', unit: 'c', tags: [1, { a: 1, b: 2 }] }),
  ).toBeUndefined();
  expect(subject.invalid({ city: 'bern', zip: 'bern' })).toContain('zip must match pattern');
  expect(subject.invalid({ city: 'BERN' })).toContain('city must match pattern');
  expect(
    subject.invalid({
      city: 'a',
      tags: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    }),
  ).toContain('tags');
  const faults = subject.invalid({ unit: 'k', other: 1 });
  expect(faults).toContain("required property 'city'");
  expect(faults).toContain('["c","f"]');
  expect(faults).toContain('"other"');
  expect(subject.invalid('text')).toBe('The arguments must be a JSON object.');
  expect(subject.invalid({ city: 'a'.repeat(70_000) })).toBe('The arguments are too long.');
});

test('a pattern that would keep a backtracking engine busy for years is answered', () => {
  const parameters = {
    type: 'object' as const,
    properties: { a: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
  };
  expect(tool({}, { parameters }).invalid({ a: 'a'.repeat(50_000) })).toContain('must match pattern');
});

test('text comes as it is, malformed JSON as text, nothing as null', async () => {
  reply = { type: 'text/plain; charset=utf-8', body: '  {"a":1} ' };
  expect(await run(tool({}))).toEqual({ ok: true, output: '  {"a":1} ' });
  reply = { body: '{"a":' };
  expect(await run(tool({}))).toEqual({ ok: true, output: '{"a":' });
  reply = { body: `${'['.repeat(300)}${']'.repeat(300)}` };
  expect(await run(tool({}))).toMatchObject({ ok: true, output: expect.stringMatching(/^\[\[/) });
  reply = { body: '' };
  expect(await run(tool({}))).toEqual({ ok: true, output: null });
  reply = { body: '{"a":"x\\u0000y\\ud800"}' };
  expect(await run(tool({}))).toEqual({ ok: true, output: { a: 'x\ufffdy\ufffd' } });
});

test('a status that is not 2xx is a failure with a short excerpt', async () => {
  reply = { status: 422, body: JSON.stringify({ error: `bad\n city ${'x'.repeat(2_000)}` }) };
  const outcome = await run(tool({}));
  expect(outcome).toMatchObject({ ok: false, code: 'HTTP_STATUS' });
  const message = outcome.ok ? '' : outcome.message;
  expect(message).toMatch(/^The tool answered 422: \{"error":"bad\\n city xxx/);
  expect(message.length).toBeLessThan(600);
  reply = { status: 500, type: 'text/html', body: '<pre>stack</pre>' };
  expect(await run(tool({ method: 'GET' }))).toEqual({
    ok: false,
    code: 'HTTP_STATUS',
    message: 'The tool answered 500.',
  });
});

test('a number that is too long for JavaScript keeps its digits', async () => {
  reply = {
    body: String.raw`{"id":9007199254740993,"ids":[-12345678901234567890, 1234567890123456],"\"7":"9007199254740993","share":0.1234567890123456789,"far":1e-1234567890123456,"wei":2000000000000000000}`,
  };
  expect(await run(tool({}))).toEqual({
    ok: true,
    output: {
      id: '9007199254740993',
      ids: ['-12345678901234567890', 1_234_567_890_123_456],
      '"7': '9007199254740993',
      share: 0.123_456_789_012_345_68,
      far: 0,
      wei: 2_000_000_000_000_000_000,
    },
  });
});

test.each<[string, typeof reply, boolean]>([
  ['a gateway that waits no longer', { status: 504, type: 'text/html', body: '<h1>Time-out</h1>' }, true],
  ['an error with words', { status: 500, body: '{"error":"no mail sent"}' }, true],
  ['a page that a form leads to', { status: 303 }, true],
  ['a receipt that is no text', { type: 'application/pdf', body: '%PDF-' }, true],
  ['more than is read', { body: JSON.stringify('x'.repeat(2_000_000)) }, true],
  ['a refusal', { status: 409, body: '{"error":"sold out"}' }, false],
])('a call that may not be repeated is not said to be undone after %s', async (_what, answer, isInDoubt) => {
  reply = answer;
  const doubt = expect.stringMatching(/the call may have taken effect/i);
  const outcome = await run(tool({}));
  expect(outcome).toMatchObject({
    ok: false,
    message: isInDoubt ? doubt : expect.not.stringMatching(/effect/),
  });
  expect(await run(tool({}, { idempotent: true }))).toMatchObject({
    ok: false,
    message: expect.not.stringMatching(/effect/),
  });
});

test('secret header values that come back are redacted in every form', async () => {
  const secret = 'k+y/ü="q& 1'.replace('ü', 'u');
  const basic = Buffer.from('user:pa55word').toString('base64');
  const headers = {
    Authorization: `Bearer ${secret}`,
    'X-Basic': `Basic ${basic}`,
    'X-Pin': '12345678',
    Accept: 'text/plain',
  };
  const forms = [
    `Bearer ${secret}`,
    secret,
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    new URLSearchParams({ s: secret }).toString().slice(2),
    basic,
    'pa55word',
    '12345678',
  ];
  const leaks = (value: unknown) =>
    forms.filter((form) => form !== secret.toLowerCase() && JSON.stringify(value).includes(form));
  reply = {
    body: ({ headers: echoed }) =>
      JSON.stringify({ echoed, forms, [secret]: 1, pin: 12345678, fine: 'Bearer of news' }),
  };
  const outcome = await run(tool({ headers }));
  expect(received[0]?.headers.authorization).toBe(`Bearer ${secret}`);
  expect(outcome).toMatchObject({
    ok: true,
    output: { pin: '[redacted]', fine: 'Bearer of news', echoed: { accept: 'text/plain' } },
  });
  expect(leaks(outcome)).toEqual([]);
  reply = { ...reply, status: 401 };
  const failed = await run(tool({ headers }));
  expect(failed.ok).toBe(false);
  expect(leaks(failed)).toEqual([]);
  reply = { type: 'text/plain', body: `key is ${secret}\n${JSON.stringify(forms)}` };
  const text = await run(tool({ headers }));
  expect(leaks(text)).toEqual([]);
  expect(text).toMatchObject({ ok: true, output: expect.stringContaining('key is [redacted]') });
});

test('a large answer is looked through once, and as a text where it has too many values', async () => {
  const secret = 'k/y-in-a-header';
  const headers = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`X-Key-${n}`, n === 0 ? secret : `${n}-of-many-secrets`]),
  );
  const subject = tool({ headers });
  const few = Array<string>(99_000).fill('n');
  reply = { body: JSON.stringify([...few, secret, `49-of-many-secrets ${secret}49-of-many`]) };
  const walked = (await run(subject)) as { readonly output: unknown };
  expect(Array.isArray(walked.output) && walked.output.slice(-3)).toEqual([
    'n',
    '[redacted]',
    '[redacted] [redacted]49-of-many',
  ]);
  const escaped = JSON.stringify([...few, ...few, secret]).replaceAll('/', String.raw`\/`);
  reply = { body: escaped };
  const { output } = (await run(subject)) as { readonly output: unknown };
  expect([typeof output, String(output).slice(-20)]).toEqual(['string', ',"n","n","[redacted]"]'.slice(-20)]);
});

test('a redirect, a silent address, a cancelled call and a private address are outcomes', async () => {
  reply = { status: 302 };
  expect(await run(tool({}))).toMatchObject({ ok: false, code: 'REDIRECTED' });
  reply = { silent: true };
  const late = await run(tool({}, { timeoutMs: 900 }));
  expect(late).toEqual({
    ok: false,
    code: 'TIMEOUT',
    message: 'No answer within 900 ms. The call may have taken effect.',
  });
  expect(await run(tool({ method: 'GET' }, { timeoutMs: 900 }))).toMatchObject({
    message: 'No answer within 900 ms.',
  });
  const cancel = new AbortController();
  const cancelled = run(tool({}), {}, cancel.signal);
  // What arrives later would be another test's.
  await expect.poll(() => received.length).toBe(4);
  cancel.abort();
  expect(await cancelled).toMatchObject({ ok: false, code: 'CANCELLED' });
  const settings = { url: 'http://169.254.169.254/latest/meta-data', method: 'GET' as const };
  expect(await run(tool(settings))).toMatchObject({ ok: false, code: 'REFUSED' });
  expect(received).toHaveLength(4);
});

test('GET and HEAD are idempotent unless the settings say otherwise', () => {
  expect(tool({ method: 'GET' }).idempotent).toBe(true);
  expect(tool({ method: 'HEAD' }).idempotent).toBe(true);
  expect(tool({ method: 'DELETE' }).idempotent).toBe(false);
  expect(tool({ method: 'PUT' }, { idempotent: true }).idempotent).toBe(true);
  expect(tool({ method: 'GET' }, { idempotent: false }).idempotent).toBe(false);
});

const everywhere = {
  url: '/customers/{{visitor.id}}',
  query: { for: '{{visitor.id}}', about: 'of {{visitor.id}}' },
  headers: { 'X-For': '{{visitor.id}}' },
  body: { id: '{{visitor.id}}', text: 'for {{visitor.id}}', list: ['{{visitor.id}}', '{{a}}'] },
};

test('{{visitor.id}} is the visitor of the session in every place, whatever the arguments say', async () => {
  const args = { a: '{{visitor.id}}', 'visitor.id': 'mallory', visitor: { id: 'mallory' } };
  expect(await runFor('ada é/1', tool(everywhere), args)).toMatchObject({ ok: true });
  const [{ url, headers, body } = {}] = received;
  expect(url).toBe('/customers/ada%20%C3%A9%2F1?for=ada+%C3%A9%2F1&about=of+ada+%C3%A9%2F1');
  expect(headers?.['x-for']).toBe('ada é/1');
  const list = ['ada é/1', '{{visitor.id}}'];
  expect(JSON.parse(body ?? '')).toEqual({ id: 'ada é/1', text: 'for ada é/1', list });
});

test('what else settings from before ask of a visitor is not taken from the arguments', async () => {
  const parameters = { type: 'object' as const, properties: { 'visitor.email': { type: 'string' } } };
  const subject = tool({ body: { email: '{{visitor.email}}' } }, { parameters });
  await runFor('ada', subject, { 'visitor.email': 'mallory@evil.example' });
  expect(received.map(({ body }) => body)).toEqual(['{}']);
});

test('a call that is about the visitor is not made while nobody is signed in', async () => {
  const places: Partial<HttpToolSettings['request']>[] = [
    { url: '/customers/{{visitor.id}}' },
    { query: { for: '{{ visitor.id }}' } },
    { headers: { 'X-For': 'a {{visitor.id}}' } },
    { body: { deep: [{ id: '{{visitor.id}}' }] } },
  ];
  for (const place of places) {
    const subject = tool(place);
    expect(subject.invalid({})).toBeUndefined();
    const outcome = await runFor(null, subject, { 'visitor.id': 'mallory' });
    expect(outcome).toMatchObject({ ok: false, code: 'VISITOR_UNKNOWN' });
  }
  expect(received).toEqual([]);
  expect(await runFor(null, tool({}))).toMatchObject({ ok: true });
  expect(received[0]?.headers['x-parley-visitor']).toBeUndefined();
});

test('a visitor id that does not fit where it stands makes no call', async () => {
  expect(await runFor('..', tool(everywhere))).toMatchObject({ ok: false, code: 'INVALID_ARGUMENTS' });
  expect(await runFor('a\r\nb', tool({ headers: { 'X-For': '{{visitor.id}}' } }))).toMatchObject({
    ok: false,
  });
  expect(received).toEqual([]);
});

test('the header with the visitor is signed for the one call, and settings cannot take its place', async () => {
  const forged = { headers: { 'X-Parley-Visitor': '{{a}}' } };
  await runFor('ada', tool(forged), { a: 'mallory' });
  const key = new TextEncoder().encode(visitorHeader.secret);
  const { payload, protectedHeader } = await jwtVerify(
    String(received[0]?.headers['x-parley-visitor']),
    key,
    {
      algorithms: ['HS256'],
      audience: origin,
      issuer: 'https://chat.example',
    },
  );
  expect(protectedHeader.alg).toBe('HS256');
  expect(payload).toMatchObject({ sub: 'ada', session: 'digest', call: 'call_1' });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
  await runFor(null, tool(forged), { a: 'mallory' });
  expect(received[1]?.headers['x-parley-visitor']).toBeUndefined();
});

test('an echo of the header with the visitor does not come back', async () => {
  let sent = '';
  reply = {
    body: ({ headers }) => {
      sent = String(headers['x-parley-visitor']);
      return JSON.stringify({ headers, text: `it was ${sent}` });
    },
  };
  const outcome = await runFor('ada', tool({}));
  expect(sent).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(JSON.stringify(outcome)).not.toContain(sent);
  expect(outcome).toMatchObject({ ok: true, output: { text: 'it was [redacted]' } });
});
