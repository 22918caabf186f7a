import { expect, test } from 'vitest';
import { collect } from '../testing/events.ts';
import { answer, readBody, serve } from '../testing/serve.ts';
import { createChat } from './chat.ts';
import { downloadTranscript } from './download-transcript.ts';

const message = { id: 'ticket 7', text: 'Grüezi' };
const chunks = [
  { type: 'start', messageId: 'm1' },
  { type: 'start-step' },
  { type: 'text-start', id: 't1' },
  { type: 'text-delta', id: 't1', delta: 'Schön ' },
  { type: 'text-delta', id: 't1', delta: 'hier\n🦉' },
  { type: 'text-end', id: 't1' },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop' },
];
const stream = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`);

test('a reply comes whole as JSON', async () => {
  const asked: unknown[] = [];
  const connection = await serve(async (request, response) => {
    const { accept, authorization } = request.headers;
    const key = request.headers['idempotency-key'];
    asked.push({
      line: `${request.method} ${request.url}`,
      accept,
      authorization,
      key,
      body: await readBody(request),
    });
    answer(response, 200, { id: 'ticket 7', text: 'Schön hier' });
  });
  const reply = await createChat(connection).reply(message, { idempotencyKey: 'k1' });
  expect(reply).toEqual({ id: 'ticket 7', text: 'Schön hier' });
  expect(asked).toEqual([
    {
      line: 'POST /api/v1/agent/chat',
      accept: 'application/json',
      authorization: 'Bearer pk_live_test',
      key: 'k1',
      body: message,
    },
  ]);
});

test('text comes as it is written, with no character cut in two', async () => {
  const connection = await serve((request, response) => {
    expect(request.headers.accept).toBe('text/plain');
    const bytes = Buffer.from('Schön 🦉!');
    const drip = (at: number): void => {
      if (at === bytes.length) return void response.end();
      response.write(bytes.subarray(at, at + 1), () => setImmediate(drip, at + 1));
    };
    drip(0);
  });
  const pieces = await collect(createChat(connection).text(message));
  expect(pieces.join('')).toBe('Schön 🦉!');
  expect(pieces).not.toContain('');
});

test('a text that breaks off throws after what has come', async () => {
  const connection = await serve((_, response) => {
    response.write('Half an ans', () => response.destroy());
  });
  const pieces: string[] = [];
  await expect(async () => {
    for await (const piece of createChat(connection).text(message)) pieces.push(piece);
  }).rejects.toMatchObject({ name: 'ParleyError', code: 'NETWORK' });
  expect(pieces.join('')).toBe('Half an ans');
});

test.for(['text/html', 'Text/HTML; charset=utf-8', 'application/xhtml+xml'])(
  'a page of something in between, as %s, is not taken for a text',
  async (contentType) => {
    const connection = await serve((_, response) => {
      response.writeHead(200, { 'content-type': contentType }).end('<h1>Welcome to our network</h1>');
    });
    const chat = createChat(connection);
    await expect(collect(chat.text(message))).rejects.toMatchObject({ code: 'PROTOCOL' });
    await expect(chat.read('ticket 7')).rejects.toMatchObject({ code: 'PROTOCOL' });
    await expect(downloadTranscript(connection, 's1')).rejects.toMatchObject({ code: 'PROTOCOL' });
  },
);

test.for([
  ['text', 'Half an ans', 'Half an ans'],
  ['events', 'data: {"type":"start"}\n\n', { type: 'start' }],
] as const)(
  'an abort is an error of `%s` also where a `fetch` of the caller’s does not hear of it',
  async ([mode, sent, first]) => {
    const page = new AbortController();
    const connection = {
      baseUrl: '',
      key: 'k',
      fetch: async () => {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(sent)),
        });
        return new Response(body);
      },
    };
    const pieces: unknown[] = [];
    await expect(async () => {
      for await (const piece of createChat(connection)[mode](message, { signal: page.signal })) {
        pieces.push(piece);
        setImmediate(() => page.abort());
      }
    }).rejects.toMatchObject({ code: 'ABORTED' });
    expect(pieces).toEqual([first]);
  },
);

test('events come as chunks up to the end marker', async () => {
  const connection = await serve((request, response) => {
    expect(request.headers.accept).toBe('text/event-stream');
    response.end(`: comment\n\n${stream.join('')}data: {"type":"late"}\n\n`);
  });
  expect(await collect(createChat(connection).events(message))).toEqual(chunks);
});

test('an event stream without its end marker broke off', async () => {
  const connection = await serve((_, response) => void response.end(stream.slice(0, 4).join('')));
  await expect(collect(createChat(connection).events(message))).rejects.toMatchObject({ code: 'NETWORK' });
});

test('an event stream of something else is a protocol error', async () => {
  const connection = await serve((_, response) => void response.end('data: hello\n\n'));
  await expect(collect(createChat(connection).events(message))).rejects.toMatchObject({ code: 'PROTOCOL' });
});

test('a refusal throws before the first piece', async () => {
  const connection = await serve((_, response) =>
    answer(response, 429, {
      ok: false,
      error: 'Slow down.',
      code: 'RATE_LIMITED',
      requestId: 'r1',
      retryAfter: 12,
    }),
  );
  const refusal = { code: 'RATE_LIMITED', status: 429, retryAfter: 12 };
  await expect(createChat(connection).reply(message)).rejects.toMatchObject(refusal);
  await expect(collect(createChat(connection).text(message))).rejects.toMatchObject(refusal);
  await expect(collect(createChat(connection).events(message))).rejects.toMatchObject(refusal);
});

test('a running turn is resumed from its start, and nothing comes when none runs', async () => {
  let running = true;
  const connection = await serve((request, response) => {
    expect(`${request.method} ${request.url}`).toBe('GET /api/v1/agent/chat/ticket%207/stream');
    if (running) response.end(stream.join(''));
    else response.writeHead(204).end();
  });
  const chat = createChat(connection);
  expect(await collect(chat.resume('ticket 7'))).toEqual(chunks);
  running = false;
  expect(await collect(chat.resume('ticket 7'))).toEqual([]);
});

test('with a secret key a reply has its tokens, and a conversation is read and deleted', async () => {
  const asked: string[] = [];
  let stored = true;
  const connection = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method === 'POST')
      return answer(response, 200, { ...message, usage: { inputTokens: 3, outputTokens: 5 } });
    if (!stored)
      return answer(response, 404, { ok: false, error: 'Nothing.', code: 'NOT_FOUND', requestId: 'r1' });
    if (request.method === 'GET') return void response.end('Visitor: Grüezi');
    stored = false;
    answer(response, 200, { ok: true, id: 'ticket 7', status: 'deleted' });
  });
  const chat = createChat(connection);
  expect((await chat.reply(message)).usage).toEqual({ inputTokens: 3, outputTokens: 5 });
  expect(await chat.read('ticket 7')).toBe('Visitor: Grüezi');
  await chat.delete('ticket 7');
  await chat.delete('ticket 7');
  await expect(chat.read('ticket 7')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(asked).toEqual([
    'POST /api/v1/agent/chat',
    'GET /api/v1/agent/chat/ticket%207?format=text',
    'DELETE /api/v1/agent/chat/ticket%207',
    'DELETE /api/v1/agent/chat/ticket%207',
    'GET /api/v1/agent/chat/ticket%207?format=text',
  ]);
});

test('leaving a stream early closes its connection', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const connection = await serve((_, response) => {
    response.on('close', close);
    response.write(stream[0]);
  });
  for await (const chunk of createChat(connection).events(message)) {
    expect(chunk.type).toBe('start');
    break;
  }
  await closed;
});
