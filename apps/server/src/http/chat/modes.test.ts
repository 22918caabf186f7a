import { connect } from 'node:net';
import { expect, test } from 'vitest';
import {
  type PostInit,
  chatPath,
  chatService,
  chunksOf,
  eventStream,
  plainText,
  textOf,
} from '../../testing/chat-service.ts';

const service = await chatService();
const echo = [{ steps: [{ say: '{{input}}' }] }];
const agent = await service.agent([
  { when: 'two lines', steps: [{ say: 'First\nSecond \u{1F642} line.' }] },
  { when: 'nothing', steps: [{ say: '' }] },
  ...echo,
]);

const user = (text: string, more: Record<string, unknown> = {}) => ({
  id: 'm1',
  role: 'user',
  parts: [{ type: 'text', text }],
  ...more,
});

test('JSON: the id as sent and the complete reply', async () => {
  const answer = await agent.ask('ticket 1/ü', 'two lines');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.body).toMatchObject({ id: 'ticket 1/ü', text: 'First\nSecond \u{1F642} line.' });
});

test('plain text: the reply, and the connection closes with it', async () => {
  const answer = await agent.ask('c', 'two lines', plainText);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('connection')).toBe('close');
  expect(answer.headers.get('x-accel-buffering')).toBe('no');
  expect(answer.body).toBe('First\nSecond \u{1F642} line.');
});

test('event stream: the headers of the protocol, and the chunks in the order of the contract', async () => {
  const answer = await agent.ask('c', 'hello', eventStream);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(answer.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
  expect(answer.headers.get('cache-control')).toContain('no-cache');
  expect(answer.headers.get('x-accel-buffering')).toBe('no');
  expect(answer.headers.get('content-encoding')).toBe(null);
  const [start, ...rest] = chunksOf(answer.body);
  expect(start).toEqual({ type: 'start', messageId: expect.stringMatching(/^msg_/) });
  expect(rest).toEqual([
    { type: 'start-step' },
    { type: 'text-start', id: 'text-0' },
    { type: 'text-delta', id: 'text-0', delta: 'hello' },
    { type: 'text-end', id: 'text-0' },
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'stop' },
  ]);
});

test('a reply without text is an empty one in every mode', async () => {
  expect((await agent.ask('c', 'nothing')).body).toMatchObject({ id: 'c', text: '' });
  expect((await agent.ask('c', 'nothing', plainText)).body).toBe('');
  expect(textOf(chunksOf((await agent.ask('c', 'nothing', eventStream)).body))).toBe('');
});

const json = 'application/json; charset=utf-8';
const plain = 'text/plain; charset=utf-8';
const events = 'text/event-stream';

test.each([
  ['application/json', json, json],
  ['*/*', json, events],
  ['text/event-stream', events, events],
  ['TEXT/EVENT-STREAM; charset=utf-8', events, events],
  ['text/plain', plain, plain],
  ['text/plain, text/event-stream', events, events],
  ['application/json, text/plain, */*', json, json],
  ['text/plain;q=0.9, application/json;q=0.8', plain, plain],
  ['text/event-stream, */*;q=0.1', events, events],
  ['text/html', null, null],
  ['application/json;q=0', null, null],
])('Accept: %s', async (accept, forText, forMessage) => {
  const sent = { text: { id: 'c', text: 'hi' }, message: { id: 'c', message: user('hi') } };
  const list = { id: 'c', messages: [user('earlier'), user('hi')] };
  for (const [body, expected] of [
    [sent.text, forText],
    [sent.message, forMessage],
    [list, forMessage],
  ] as const) {
    const answer = await agent.send(body, { accept });
    expect(answer.status).toBe(expected === null ? 406 : 200);
    expect(answer.headers.get('content-type')).toBe(expected ?? json);
    if (expected === null) expect(answer.body).toMatchObject({ ok: false, code: 'NOT_ACCEPTABLE' });
  }
});

test('no Accept header at all is JSON, also for a UI message', async () => {
  const body = JSON.stringify({ id: 'no accept', message: user('hi') });
  const { port } = new URL(service.url);
  const answer = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(
        `POST ${chatPath} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${agent.secret.key}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      ),
    );
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('{"id":"no accept","text":"hi"');
});

test('a UI message: its text parts are what was said, other fields do not matter', async () => {
  const parts = [
    { type: 'text', text: 'Hel' },
    { type: 'data-page', data: 1 },
    { type: 'text', text: 'lo' },
  ];
  const message = user('', { parts, metadata: { any: 'thing' } });
  expect((await agent.send({ id: 'c', message, extra: true })).body).toMatchObject({
    id: 'c',
    text: 'Hello',
  });
});

const astral = '\u{1F642}';
const refusals: [string, unknown, number, (string[] | undefined)?, PostInit?][] = [
  ['nothing', '', 400, ['']],
  ['half a document', '{"id":"c"', 400, ['']],
  ['null', 'null', 400, ['']],
  ['an array', [], 400, ['']],
  ['no id', { text: 'x' }, 400, ['id']],
  ['an empty id', { id: '', text: 'x' }, 400, ['id']],
  ['an id of 201', { id: 'x'.repeat(201), text: 'x' }, 400, ['id']],
  ['an id of 201 astral characters', { id: astral.repeat(201), text: 'x' }, 400, ['id']],
  ['a number as id', { id: 1, text: 'x' }, 400, ['id']],
  ['U+0000 in the id', { id: 'a\0', text: 'x' }, 400, ['id']],
  ['no text', { id: 'c' }, 400, ['text']],
  ['an empty text', { id: 'c', text: '' }, 400, ['text']],
  ['a text of 20,001', { id: 'c', text: 'x'.repeat(20_001) }, 400, ['text']],
  ['a text of 20,001 astral characters', { id: 'c', text: astral.repeat(20_001) }, 400, ['text']],
  ['U+0000 in the text', { id: 'c', text: 'a\0b' }, 400, ['text']],
  ['nothing right', { id: 7, text: false }, 400, ['id', 'text']],
  ['text and message', { id: 'c', text: 'x', message: user('x') }, 400, ['text']],
  ['a system message', { id: 'c', message: user('x', { role: 'system' }) }, 400, ['message.role']],
  [
    'a list that ends with a system message',
    { id: 'c', messages: [user('x'), user('x', { role: 'system' })] },
    400,
    ['messages.1.role'],
  ],
  [
    'a message of 20,001 in parts',
    {
      id: 'c',
      message: user('', {
        parts: [
          { type: 'text', text: 'x' },
          { type: 'text', text: 'x'.repeat(20_000) },
        ],
      }),
    },
    400,
    ['message.parts'],
  ],
  [
    'an assistant message that answers nothing',
    { id: 'c', message: user('I am the assistant', { role: 'assistant' }) },
    400,
    ['message.parts'],
  ],
  ['over 2 MiB', { id: 'c', text: 'x', more: 'x'.repeat(2 * 1024 * 1024) }, 413],
  [
    'a form',
    'id=c&text=x',
    415,
    undefined,
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  ['text', { id: 'c', text: 'x' }, 415, undefined, { headers: { 'content-type': 'text/plain' } }],
];

test.each(refusals)('%s is refused in the one shape', async (_, body, status, paths, init) => {
  const answer = await agent.send(body, init);
  expect(answer.status).toBe(status);
  const code = { 400: 'BAD_REQUEST', 413: 'TOO_LARGE', 415: 'UNSUPPORTED_MEDIA_TYPE' }[status];
  const requestId = answer.headers.get('x-request-id');
  const shape = { ok: false, error: expect.stringMatching(/./), code, requestId };
  const issues = paths && paths.map((path) => ({ path, message: expect.stringMatching(/./) }));
  const body_ = {
    ...answer.body,
    ...(answer.body.issues && {
      issues: answer.body.issues.map((issue: { path: unknown[] }) => ({
        ...issue,
        path: issue.path.join('.'),
      })),
    }),
  };
  expect(body_).toEqual({ ...shape, ...(issues && { issues }) });
});

test('the sentence of a refusal says what it is for, and which limit', async () => {
  const answer = await agent.send({ id: 'c', text: 'x'.repeat(20_001) });
  expect(answer.body.error).toBe('The request is not valid: text: Expected at most 20000 characters.');
  expect((await agent.send({ id: 'c' })).body.error).toMatch(/^The request is not valid: text: ./);
});

test('refusals are JSON in every mode', async () => {
  for (const mode of [eventStream, plainText]) {
    const answer = await agent.send({ id: 'c' }, mode);
    expect(answer.status).toBe(400);
    expect(answer.body.issues).toEqual([{ path: ['text'], message: expect.any(String) }]);
  }
});

test.each([
  ['ASCII', 'x'],
  ['astral', astral],
  ['three-byte', '雨'],
])('200 and 20,000 code points are accepted: %s', async (_, character) => {
  const [id, text] = [character.repeat(200), character.repeat(20_000)];
  const answer = await agent.ask(id, text);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({ id, text });
  expect((await agent.send({ id, message: user(text) })).body).toMatchObject({ id, text });
});

test('a text that is escaped to 240 kB, and a list of 2 MiB, are read', async () => {
  const text = astral.repeat(20_000);
  const escaped = '\\ud83d\\ude42'.repeat(20_000);
  expect((await agent.send(`{"id":"c","text":"${escaped}"}`)).body).toMatchObject({ id: 'c', text });
  const listOf = (size: number) => {
    const last = user('hi');
    const padding = size - JSON.stringify([user(''), last]).length + '[]'.length;
    return { id: 'c', messages: [user('x'.repeat(padding)), last] };
  };
  expect((await agent.send(listOf(2 * 1024 * 1024))).body.text).toBe('hi');
  expect(await agent.send(listOf(2 * 1024 * 1024 + 1))).toMatchObject({
    status: 413,
    body: { error: "'messages' has at most 2097152 bytes." },
  });
});

test('a lone surrogate becomes U+FFFD', async () => {
  const answer = await agent.send('{"id":"c","text":"a\\ud800b"}');
  expect(answer.body).toMatchObject({ id: 'c', text: 'a\ufffdb' });
});

test('hostile nesting is refused wherever it stands, in an earlier message too', async () => {
  const deep = `${'['.repeat(65)}${']'.repeat(65)}`;
  const error = 'The body is nested deeper than 64 levels.';
  for (const body of [
    `{"id":"deep","text":"hi","more":${deep}}`,
    `{"id":"deep","messages":[${deep},{"role":"user","parts":[{"type":"text","text":"hi"}]}]}`,
  ])
    expect(await agent.send(body)).toMatchObject({ status: 400, body: { error } });
});

test('an Accept of 1 kB is read, a longer one refused', async () => {
  const accept = (length: number) => ({ accept: 'text/plain'.padEnd(length, ', a/b') });
  expect((await agent.ask('c', 'hi', { headers: accept(1_024) })).headers.get('content-type')).toMatch(
    'text/plain',
  );
  expect(await agent.ask('c', 'hi', { headers: accept(1_025) })).toMatchObject({
    status: 406,
    body: { error: 'Expected Accept to have at most 1024 bytes.' },
  });
});

test('other methods are 405 and name what is possible', async () => {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const answer = await fetch(service.url + chatPath, {
    headers: { authorization: `Bearer ${agent.secret.key}` },
  });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toContain('POST');
});
