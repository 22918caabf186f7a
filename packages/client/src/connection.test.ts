import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answer, serve } from '../testing/serve.ts';
import { readObject, request, requestInTime, requestOnce } from './connection.ts';
import type { ParleyError } from './error.ts';
import { listSessions } from './list-sessions.ts';

const problem = (code: string, more = {}) => ({ ok: false, error: 'No.', code, requestId: 'r1', ...more });

test('a refusal carries everything the service said', async () => {
  const issues = [{ path: ['text'], message: 'Too long.' }];
  const connection = await serve((_, response) => answer(response, 400, problem('BAD_REQUEST', { issues })));
  await expect(request(connection, '/', { body: {} })).rejects.toMatchObject({
    name: 'ParleyError',
    code: 'BAD_REQUEST',
    message: 'No.',
    status: 400,
    requestId: 'r1',
    issues,
  });
});

test('the error page of a proxy is a protocol error with its status', async () => {
  const connection = await serve((_, response) => {
    response.writeHead(502, { 'retry-after': '7', 'x-request-id': 'r2' }).end('<h1>Bad gateway</h1>');
  });
  const { issues, ...error } = (await request(connection, '/', {}).catch((cause) => cause)) as ParleyError;
  expect({ ...error }).toEqual({
    name: 'ParleyError',
    code: 'PROTOCOL',
    status: 502,
    retryAfter: 7,
    requestId: 'r2',
  });
  expect(issues).toBeUndefined();
});

test('a POST is repeated with the same key while the network or the service is away', async () => {
  const seen: string[] = [];
  const connection = await serve((message, response) => {
    seen.push(String(message.headers['idempotency-key']));
    if (seen.length === 1) return void message.socket.destroy();
    if (seen.length === 2) return answer(response, 503, problem('UNAVAILABLE', { retryAfter: 0 }));
    if (seen.length === 3) {
      response.writeHead(202, { 'content-length': '100' });
      return void response.write('{"ok":', () => response.destroy());
    }
    answer(response, 202, { ok: true });
  });
  const body = await requestOnce(connection, '/', { body: {} }, (response) => readObject(response));
  expect(body).toEqual({ ok: true });
  expect(seen).toHaveLength(4);
  expect(new Set(seen).size).toBe(1);
});

test.for([502, 503, 504])('a POST that a proxy answers with %i is repeated', async (status) => {
  const seen: unknown[] = [];
  const connection = await serve((message, response) => {
    seen.push(message.headers['idempotency-key']);
    if (seen.length < 3) response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>');
    else answer(response, 202, { ok: true });
  });
  expect(await requestOnce(connection, '/', { body: {} }, (response) => readObject(response))).toEqual({
    ok: true,
  });
  expect(seen).toEqual([seen[0], seen[0], seen[0]]);
});

test('every POST has a key of its own', async () => {
  const seen = new Set<unknown>();
  const connection = await serve((message, response) => {
    seen.add(message.headers['idempotency-key']);
    answer(response, 200, {});
  });
  for (let each = 0; each < 3; each += 1) await requestOnce(connection, '/', { body: {} }, () => {});
  expect(seen.size).toBe(3);
});

test.for([
  [429, 'QUEUE_FULL', 1],
  [429, 'QUOTA_EXCEEDED', undefined],
  [500, 'INTERNAL', undefined],
  [502, 'MODEL_FAILED', undefined],
  [504, 'TURN_TIMEOUT', undefined],
  [503, 'UNAVAILABLE', 3600],
] as const)('a POST refused with %i %s, come back after %s s, is the caller’s to repeat', async (refusal) => {
  const [status, code, retryAfter] = refusal;
  let asked = 0;
  const connection = await serve((_, response) => {
    asked += 1;
    answer(response, status, problem(code), retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  });
  await expect(requestOnce(connection, '/', { body: {} }, () => {})).rejects.toMatchObject({
    code,
    retryAfter,
  });
  expect(asked).toBe(1);
});

test('a network that stays away is an error after a few attempts', async () => {
  // It keeps its port, which somebody else could answer at between two attempts.
  let attempts = 0;
  const server = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const connection = { baseUrl: `http://127.0.0.1:${port}`, key: 'pk_live_test' };
  await expect(requestOnce(connection, '/', { body: {} }, () => {})).rejects.toMatchObject({
    code: 'NETWORK',
  });
  expect(attempts).toBe(4);
});

test('aborting ends the request, and the pause before the next one', async () => {
  const controller = new AbortController();
  let asked = 0;
  const connection = await serve((_, response) => {
    asked += 1;
    answer(response, 503, problem('UNAVAILABLE'), { 'retry-after': '9' });
    response.on('close', () => setImmediate(() => controller.abort()));
  });
  const { signal } = controller;
  await expect(requestOnce(connection, '/', { body: {}, signal }, () => {})).rejects.toMatchObject({
    code: 'ABORTED',
  });
  await expect(request(connection, '/', { body: {}, signal })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(asked).toBe(1);
});

test('nothing is cached, and no cookie goes along', async () => {
  const asked: unknown[] = [];
  const connection = {
    baseUrl: 'https://agents.example',
    key: 'k',
    fetch: (url: unknown, { cache, credentials, method }: RequestInit = {}) => {
      asked.push({ url, cache, credentials, method });
      return Promise.resolve(Response.json({}));
    },
  };
  await request(connection, '/x', {});
  expect(asked).toEqual([
    { url: 'https://agents.example/x', cache: 'no-store', credentials: 'omit', method: undefined },
  ]);
});

test('the repeats of a POST leave the network longer and longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  onTestFinished(() => {
    vi.useRealTimers();
    random.mockRestore();
  });
  let asked = 0;
  const connection = {
    baseUrl: '',
    key: 'k',
    fetch: () => {
      asked += 1;
      return Promise.reject(new TypeError('Failed to fetch'));
    },
  };
  const failing = expect(requestOnce(connection, '/', { body: {} }, () => {})).rejects.toMatchObject({
    code: 'NETWORK',
  });
  for (const [repeats, pause] of [250, 500, 1000].entries()) {
    await vi.advanceTimersByTimeAsync(pause - 1);
    expect(asked).toBe(repeats + 1);
    await vi.advanceTimersByTimeAsync(1);
  }
  await failing;
  expect(asked).toBe(4);
});

/** A service that takes every request and answers none, and a clock that the test moves. */
function stubSilence() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const signals: AbortSignal[] = [];
  const connection = {
    baseUrl: '',
    key: 'k',
    fetch: (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        const { signal } = init!;
        signals.push(signal!);
        signal!.addEventListener('abort', () => reject(signal!.reason as Error));
      }),
  };
  return { connection, signals };
}

const outcomeOf = (posting: Promise<unknown>) => {
  const outcome = { error: undefined as unknown };
  posting.catch((error: unknown) => (outcome.error = error));
  return outcome;
};

test('a POST that nobody answers has failed after 30 seconds', async () => {
  const { connection, signals } = stubSilence();
  const outcome = outcomeOf(requestInTime(connection, '/', { body: {} }, () => {}));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(outcome.error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2);
  expect(outcome.error).toMatchObject({ code: 'NETWORK' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('a list that nobody answers, or breaks off for long, has failed after 30 seconds', async () => {
  const { connection, signals } = stubSilence();
  const silent = outcomeOf(listSessions(connection));
  const halfway = outcomeOf(
    listSessions({ ...connection, fetch: async () => new Response(new ReadableStream()) }),
  );
  await vi.advanceTimersByTimeAsync(29_999);
  expect([silent.error, halfway.error]).toEqual([undefined, undefined]);
  await vi.advanceTimersByTimeAsync(2);
  for (const { error } of [silent, halfway]) expect(error).toMatchObject({ code: 'NETWORK' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('an answer of which only the head comes has failed after 30 seconds, too', async () => {
  const connection = { ...stubSilence().connection, fetch: async () => new Response(new ReadableStream()) };
  const outcome = outcomeOf(requestInTime(connection, '/', { body: {} }, (response) => readObject(response)));
  await vi.advanceTimersByTimeAsync(30_001);
  expect(outcome.error).toMatchObject({ code: 'NETWORK' });
});

test('a file has the time that its bytes take on a slow line', async () => {
  const { connection } = stubSilence();
  const content = new Blob(['x'.repeat(2_000_000)]);
  const outcome = outcomeOf(requestInTime(connection, '/', { content }, () => {}));
  await vi.advanceTimersByTimeAsync(129_999);
  expect(outcome.error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2);
  expect(outcome.error).toMatchObject({ code: 'NETWORK' });
});

test('a device that comes online does not wait for what has not been answered for long', async () => {
  const browser = new EventTarget();
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { connection, signals } = stubSilence();
  const outcome = outcomeOf(requestOnce(connection, '/', { body: {} }, () => {}));
  await vi.advanceTimersByTimeAsync(7_000);
  browser.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(signals).toHaveLength(1);
  browser.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(outcome.error).toBeUndefined();
});
