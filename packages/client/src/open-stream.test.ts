import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { SessionEvent } from '@parley/protocol/event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { begin, collect, completed, say, toLines, waiting } from '../testing/events.ts';
import { answer, readBody, serve } from '../testing/serve.ts';
import { cancelStream, type OpenStream } from './open-stream.ts';
import { createSessions } from './session.ts';

const session = { sessionId: 's/1', continuationToken: 'parley:1' };
const events: SessionEvent[] = [...begin(0, 'Grüezi 👋'), ...say(0, 0, 'Schön', ' 🦉!'), waiting, completed];
const indexed = events.map((each, index) => ({ index, event: each }));
const streamHeaders = { 'content-type': 'application/x-ndjson; charset=utf-8' };
const startHeaders = {
  ...streamHeaders,
  'x-parley-session-id': session.sessionId,
  'x-parley-continuation-token': session.continuationToken,
};
const created = { ok: true, ...session };

type Asked = { line: string; accept: string | undefined; key: unknown; body: unknown };

/** A service that answers as the test says, and what it was asked. */
async function record(respond: (asked: Asked, response: ServerResponse, count: number) => void) {
  const asked: Asked[] = [];
  const listener: RequestListener = async (request: IncomingMessage, response) => {
    const each = {
      line: `${request.method} ${request.url}`,
      accept: request.headers.accept,
      key: request.headers['idempotency-key'],
      body: request.method === 'POST' ? await readBody(request) : null,
    };
    respond(each, response, asked.push(each));
  };
  const connection = await serve(listener);
  return { sessions: createSessions(connection), connection, asked };
}

/** The stream from an index on, with the blank line it begins with. */
const bytesFrom = (index: number) => Buffer.from(`\n${toLines(events.slice(index))}`);

/** Answers a request for the ordinary stream; false for any other. */
function isFollowed({ line }: Asked, response: ServerResponse): boolean {
  const [, index] = /^GET \/parley\/v1\/session\/s%2F1\/stream\?startIndex=(\d+)&soFar=0$/.exec(line) ?? [];
  if (index === undefined) return false;
  response.writeHead(200, streamHeaders).end(bytesFrom(Number(index)));
  return true;
}

const lines = (asked: readonly Asked[]) => asked.map(({ line }) => line);
const wanted = 'application/x-ndjson, application/json;q=0.9';

test('a start is read over its own request', async () => {
  const { sessions, asked } = await record((_, response) =>
    response.writeHead(202, startHeaders).end(bytesFrom(0)),
  );
  const { session: started, stream } = await sessions.startStream('Hello', { idempotencyKey: 'outbox-7' });
  expect(started).toEqual(session);
  expect(await collect(sessions.follow(started.sessionId, { stream }))).toEqual(indexed);
  expect(asked).toEqual([
    { line: 'POST /parley/v1/session?soFar=0', accept: wanted, key: 'outbox-7', body: { message: 'Hello' } },
  ]);
});

test('a follow-up and an answer are read over their own request, from the index wanted on', async () => {
  const { sessions, asked } = await record((_, response) =>
    response.writeHead(200, streamHeaders).end(bytesFrom(3)),
  );
  const connected: boolean[] = [];
  const onConnection = (state: boolean) => connected.push(state);
  const stream = await sessions.sendStream(session, 'More', { startIndex: 3 });
  expect(await collect(sessions.follow('s/1', { stream, onConnection }))).toEqual(indexed.slice(3));
  const inputResponses = [{ requestId: 'r1', optionId: 'approve' }];
  cancelStream(await sessions.sendStream(session, { inputResponses }, { startIndex: 3 }));
  const { continuationToken } = session;
  expect(asked).toMatchObject([
    {
      line: 'POST /parley/v1/session/s%2F1?startIndex=3&soFar=0',
      accept: wanted,
      body: { continuationToken, message: 'More' },
    },
    { body: { continuationToken, inputResponses } },
  ]);
  expect(connected).toEqual([true]);
});

test.for(['cut', 'ended'] as const)(
  '%s on the way, the ordinary stream goes on without a gap or a repeat',
  async (how) => {
    const { sessions } = await record((each, response) => {
      if (isFollowed(each, response)) return;
      const head = bytesFrom(0).subarray(0, (each.body as { message: string }).message.length);
      response.writeHead(202, startHeaders);
      if (how === 'ended') response.end(head);
      else response.write(head, () => response.destroy());
    });
    const offsets = Array.from({ length: Math.ceil(bytesFrom(0).length / 7) }, (_, part) => part * 7 + 1);
    await Promise.all(
      offsets.map(async (offset) => {
        const { stream } = await sessions.startStream('x'.repeat(offset));
        expect(await collect(sessions.follow('s/1', { stream })), `at byte ${offset}`).toEqual(indexed);
      }),
    );
  },
);

test('a service that answers in JSON is read by the ordinary stream', async () => {
  const { sessions, asked } = await record((each, response) => {
    if (!isFollowed(each, response)) answer(response, 202, created);
  });
  const { session: started, stream } = await sessions.startStream('Hello');
  expect({ started, stream }).toEqual({ started: session, stream: null });
  expect(await collect(sessions.follow(started.sessionId, { stream }))).toEqual(indexed);
  expect(await sessions.sendStream(session, 'More', { startIndex: 3 })).toBe(null);
  expect(lines(asked)).toEqual([
    'POST /parley/v1/session?soFar=0',
    'GET /parley/v1/session/s%2F1/stream?startIndex=0&soFar=0',
    'POST /parley/v1/session/s%2F1?startIndex=3&soFar=0',
  ]);
});

test('a 406 has the message sent again without the wish', async () => {
  const { sessions, asked } = await record(({ accept }, response) =>
    accept === wanted ? answer(response, 406, { ok: false }) : answer(response, 202, created),
  );
  expect(await sessions.startStream('Hello')).toEqual({ session, stream: null });
  expect(asked.map(({ accept }) => accept)).toEqual([wanted, '*/*']);
  expect(asked[1]?.key).toBe(asked[0]?.key);
});

test('a stream whose headers were dropped on the way is left, and the message sent again', async () => {
  const closed = Promise.withResolvers<void>();
  const { sessions, asked } = await record(({ accept }, response) => {
    if (accept !== wanted) return answer(response, 202, created);
    response.on('close', closed.resolve).writeHead(202, streamHeaders).write('\n');
  });
  expect(await sessions.startStream('Hello')).toEqual({ session, stream: null });
  await closed.promise;
  expect(asked[1]?.key).toBe(asked[0]?.key);
});

test('after a connection that failed the message is sent again in the ordinary way', async () => {
  const { sessions, asked } = await record((_, response, count) =>
    count === 1 ? response.destroy() : answer(response, 202, created),
  );
  expect(await sessions.startStream('Hello')).toEqual({ session, stream: null });
  expect(asked.map(({ accept }) => accept)).toEqual([wanted, '*/*']);
  expect(asked[1]?.key).toBe(asked[0]?.key);
});

test('a proxy that keeps a stream back has ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const sessions = createSessions({
    baseUrl: '',
    key: 'k',
    fetch: (_, init) => {
      asked += 1;
      const kept = new Headers(init?.headers).get('accept') === wanted;
      return kept ? new Promise(() => {}) : Promise.resolve(Response.json(created, { status: 202 }));
    },
  });
  const starting = sessions.startStream('Hello');
  await vi.advanceTimersByTimeAsync(9_999);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(251);
  expect(await starting).toEqual({ session, stream: null });
});

test('a refusal is the refusal, once', async () => {
  const problem = { ok: false, error: 'Too long.', code: 'BAD_REQUEST', requestId: 'r1' };
  const { sessions, asked } = await record((_, response) => answer(response, 400, problem));
  await expect(sessions.startStream('Hello')).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400 });
  expect(asked).toHaveLength(1);
});

/** A stream that the service has begun and goes on with, and whether it still is open. */
async function begun() {
  const closed = Promise.withResolvers<void>();
  const { sessions, asked } = await record((each, response) => {
    if (isFollowed(each, response)) return;
    response.on('close', closed.resolve).writeHead(202, startHeaders).write(bytesFrom(0).subarray(0, 300));
  });
  const { stream } = await sessions.startStream('Hello');
  return { sessions, asked, stream: stream as OpenStream, closed: closed.promise };
}

test('aborting ends the iteration and the connection', async () => {
  const { sessions, asked, stream, closed } = await begun();
  const controller = new AbortController();
  const { signal } = controller;
  for await (const { index } of sessions.follow('s/1', { stream, signal })) {
    if (index === 0) setImmediate(() => controller.abort());
  }
  await closed;
  expect(asked).toHaveLength(1);
});

test('leaving the iteration, or having left it before, ends the connection', async () => {
  const left = await begun();
  for await (const _ of left.sessions.follow('s/1', { stream: left.stream })) break;
  await left.closed;
  const aborted = await begun();
  const options = { stream: aborted.stream, signal: AbortSignal.abort() };
  expect(await collect(aborted.sessions.follow('s/1', options))).toEqual([]);
  await aborted.closed;
  const unwanted = await begun();
  cancelStream(unwanted.stream);
  await unwanted.closed;
});

test('a stream that begins elsewhere is not read', async () => {
  const { sessions, asked, stream, closed } = await begun();
  expect(await collect(sessions.follow('s/1', { stream, startIndex: 2 }))).toEqual(indexed.slice(2));
  await closed;
  expect(lines(asked)[1]).toContain('startIndex=2');
});

test('a stream that is followed twice is read once, and the other one is opened', async () => {
  const { sessions, asked } = await record((each, response) => {
    if (!isFollowed(each, response)) response.writeHead(202, startHeaders).end(bytesFrom(0));
  });
  const { stream } = await sessions.startStream('Hello');
  const both = [sessions.follow('s/1', { stream }), sessions.follow('s/1', { stream })];
  expect(await Promise.all(both.map(collect))).toEqual([indexed, indexed]);
  expect(lines(asked)).toHaveLength(2);
});
