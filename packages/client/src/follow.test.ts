import type { RequestListener, ServerResponse } from 'node:http';
import type { SessionEvent } from '@parley/protocol/event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type FollowOptions, followSession } from './follow.ts';
import { answer, serve } from '../testing/serve.ts';
import { begin, collect, completed, event, finish, say, toLines, turn, waiting } from '../testing/events.ts';

const events: SessionEvent[] = [...begin(0, 'Grüezi 👋'), ...say(0, 0, 'Schön', ' 🦉!'), waiting, completed];
const indexed = events.map((each, index) => ({ index, event: each }));
const ndjson = { 'content-type': 'application/x-ndjson; charset=utf-8' };

/** Answers as the service does: a first blank line, then the events from the index asked for. */
const play = (url: string | undefined, response: ServerResponse, list = events) => {
  const startIndex = Number(new URL(url ?? '', 'http://localhost').searchParams.get('startIndex'));
  response.writeHead(200, ndjson);
  return Buffer.from(`\n${toLines(list.slice(startIndex))}`);
};

const followAll = async (listener: RequestListener, options?: FollowOptions) =>
  collect(followSession(await serve(listener), 's1', options));

/** Around the ends of lines and the letters of several bytes, and every eighth byte of what is between them. */
const offsets = (() => {
  const bytes = Buffer.from(`\n${toLines(events)}`);
  const near = (at: number) =>
    bytes.subarray(Math.max(at - 3, 0), at + 3).some((byte) => byte < 0x20 || byte > 0x7e);
  return Array.from({ length: bytes.length + 1 }, (_, at) => at).filter((at) => at % 8 === 0 || near(at));
})();

test.for(['cut', 'ended'] as const)(
  'a first connection %s in any line, and in any letter, loses and doubles nothing',
  async (how) => {
    const broken = new Set<string>();
    const connection = await serve((request, response) => {
      const [, offset = ''] = /session\/(\d+)\/stream/.exec(request.url ?? '') ?? [];
      const bytes = play(request.url, response);
      if (broken.has(offset)) return void response.end(bytes);
      broken.add(offset);
      const head = bytes.subarray(0, Number(offset));
      if (how === 'ended') response.end(head);
      else response.write(head.length > 0 ? head : '\n', () => response.destroy());
    });
    await Promise.all(
      offsets.map(async (offset) => {
        const seen = await collect(followSession(connection, String(offset)));
        expect(seen, `cut at byte ${offset}`).toEqual(indexed);
      }),
    );
  },
);

test('a stream that comes a few bytes at a time, with heartbeats between, is whole', async () => {
  const seen = await followAll((request, response) => {
    const bytes = play(request.url, response);
    const drip = (at: number) => {
      if (at >= bytes.length) return void response.end();
      const atLineEnd = at > 0 && bytes[at - 1] === 0x0a;
      response.write(Buffer.concat([Buffer.from(atLineEnd ? '\n' : ''), bytes.subarray(at, at + 1)]), () =>
        setImmediate(drip, at + 1),
      );
    };
    drip(0);
  });
  expect(seen).toEqual(indexed);
});

test('asks for the index it needs, without cumulative texts, under the platform of the deployment', async () => {
  const urls: string[] = [];
  const connection = await serve((request, response) => {
    urls.push(`${request.headers.authorization} ${request.url}`);
    response.end(play(request.url, response));
  });
  const seen = await collect(followSession({ ...connection, platform: 'eve' }, 'a/b', { startIndex: 3 }));
  expect(seen).toEqual(indexed.slice(3));
  expect(urls).toEqual(['Bearer pk_live_test /eve/v1/session/a%2Fb/stream?startIndex=3&soFar=0']);
});

test('goes on through restarts and overload, and says when it is connected', async () => {
  const answers = [503, 200, 500, 429, 200];
  const connected: boolean[] = [];
  const seen = await followAll(
    (request, response) => {
      const status = answers.shift();
      if (status !== 200) return answer(response, status ?? 500, { ok: false });
      const bytes = play(request.url, response);
      response.end(answers.length > 0 ? bytes.subarray(0, 400) : bytes);
    },
    { onConnection: (state) => connected.push(state) },
  );
  expect(seen).toEqual(indexed);
  expect(connected).toEqual([false, true, false, false, false, true]);
});

test('an answer that is not the stream, as a hotel network gives, is passed over', async () => {
  let first = true;
  const seen = await followAll((request, response) => {
    if (!first) return void response.end(play(request.url, response));
    first = false;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>\n');
  });
  expect(seen).toEqual(indexed);
});

test.for([401, 403, 404, 410])(
  'a page with %i, of something in between that does not reach the service, is passed over',
  async (status) => {
    let first = true;
    const seen = await followAll((request, response) => {
      if (!first) return void response.end(play(request.url, response));
      first = false;
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No such site</h1>');
    });
    expect(seen).toEqual(indexed);
  },
);

test('a service that breaks off while it says why is asked again', async () => {
  let first = true;
  const problem = JSON.stringify({ ok: false, code: 'SESSION_NOT_FOUND', error: 'No.', requestId: 'r1' });
  const following = followAll((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json', 'content-length': problem.length });
    if (!first) return void response.end(problem);
    first = false;
    response.write(problem.slice(0, 9), () => response.destroy());
  });
  await expect(following).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND', status: 404 });
});

test('a failed session is the end', async () => {
  const failed = event('session.failed', { code: 'INTERNAL', message: 'Broken.', sessionId: 's1' });
  const seen = await followAll((request, response) => {
    response.write(play(request.url, response, [failed, ...finish(0)]));
  });
  expect(seen).toEqual([{ index: 0, event: failed }]);
});

test.for([
  [401, 'UNAUTHORIZED'],
  [403, 'ORIGIN_NOT_ALLOWED'],
  [404, 'SESSION_NOT_FOUND'],
  [400, 'BAD_REQUEST'],
] as const)('a refusal with %i is final', async ([status, code]) => {
  const following = followAll((_, response) =>
    answer(response, status, { ok: false, error: 'No.', code, requestId: 'r1' }),
  );
  await expect(following).rejects.toMatchObject({ name: 'ParleyError', code, status, requestId: 'r1' });
});

test('a key revoked while the stream is open ends it at the next attempt', async () => {
  let revoked = false;
  const seen: number[] = [];
  const connection = await serve((request, response) => {
    if (revoked)
      return answer(response, 401, { ok: false, error: 'No.', code: 'UNAUTHORIZED', requestId: 'r1' });
    revoked = true;
    response.end(play(request.url, response, [event('turn.started', turn(0))]));
  });
  await expect(async () => {
    for await (const { index } of followSession(connection, 's1')) seen.push(index);
  }).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(seen).toEqual([0]);
});

test('a line that is not JSON is an error, not a silent gap', async () => {
  await expect(
    followAll((_, response) => void response.writeHead(200, ndjson).end('{"type"\n')),
  ).rejects.toMatchObject({ code: 'PROTOCOL' });
});

test('aborting ends the iteration and the connection', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const controller = new AbortController();
  const connection = await serve((request, response) => {
    response.on('close', close);
    response.write(play(request.url, response, events.slice(0, 2)));
  });
  const seen: number[] = [];
  for await (const { index } of followSession(connection, 's1', { signal: controller.signal })) {
    seen.push(index);
    if (index === 1) setImmediate(() => controller.abort());
  }
  await closed;
  expect(seen).toEqual([0, 1]);
});

test('aborting during a pause between attempts ends the iteration', async () => {
  const controller = new AbortController();
  const seen = await followAll(
    (_, response) => answer(response, 503, { ok: false }, { 'retry-after': '3600' }),
    {
      signal: controller.signal,
      onConnection: () => setImmediate(() => controller.abort()),
    },
  );
  expect(seen).toEqual([]);
});

/** A browser whose window events the test sends. */
function stubBrowser(): EventTarget {
  const browser = new EventTarget();
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
  onTestFinished(() => void vi.unstubAllGlobals());
  return browser;
}

/** A clock that the test moves, and a service of which it counts the requests. */
function stubTime(respond: (attempt: number, signal: AbortSignal) => Response) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(1);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const signals: AbortSignal[] = [];
  const connection = {
    baseUrl: '',
    key: '',
    fetch: (_: unknown, init?: RequestInit) => {
      if (!init?.signal) throw new Error('The request cannot be given up.');
      return Promise.resolve(respond(signals.push(init.signal), init.signal));
    },
  };
  return { seen: collect(followSession(connection, 's1')), signals, advance: vi.advanceTimersByTimeAsync };
}

const lastEvent = () => new Response(toLines([completed]), { headers: ndjson });

/** Connects and says no more. */
const silence = (signal: AbortSignal) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('\n'));
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    }),
    { headers: ndjson },
  );

test('a browser that is online again does not wait for the next attempt', async () => {
  const browser = stubBrowser();
  let offline = true;
  const seen = await followAll(
    (request, response) => {
      if (offline) return answer(response, 503, { ok: false }, { 'retry-after': '3600' });
      response.end(play(request.url, response));
    },
    {
      onConnection: (connected) => {
        if (connected) return;
        offline = false;
        setImmediate(() => browser.dispatchEvent(new Event('online')));
      },
    },
  );
  expect(seen).toEqual(indexed);
});

test('pauses double up to four seconds, and an event makes them short again', async () => {
  const eventThenEnd = () => new Response(toLines(events.slice(0, 1)), { headers: ndjson });
  const { seen, signals, advance } = stubTime((attempt) => {
    if (attempt === 8) return eventThenEnd();
    const status = [502, 408, 425, 429, 500, 503, 504][attempt - 1];
    return status === undefined ? lastEvent() : new Response(null, { status });
  });
  await advance(0);
  for (const [pause, milliseconds] of [250, 500, 1000, 2000, 4000, 4000, 4000].entries()) {
    await advance(milliseconds - 1);
    expect(signals).toHaveLength(pause + 1);
    await advance(1);
    expect(signals).toHaveLength(pause + 2);
  }
  await advance(250);
  expect(await seen).toHaveLength(2);
});

test.for([
  [0, 125],
  [0.6, 200],
  [1, 250],
] as const)(
  'whom one restart has cut off comes back within half of the pause, at random: %d after %d ms',
  async ([random, pause]) => {
    const { signals, seen, advance } = stubTime((attempt) =>
      attempt === 1 ? new Response(null, { status: 503 }) : lastEvent(),
    );
    vi.spyOn(Math, 'random').mockReturnValue(random);
    await advance(pause - 1);
    expect(signals).toHaveLength(1);
    await advance(1);
    expect(signals).toHaveLength(2);
    expect(await seen).toHaveLength(1);
  },
);

test('the service says when to come back', async () => {
  const { seen, signals, advance } = stubTime((attempt) =>
    attempt === 1 ? Response.json({}, { status: 429, headers: { 'retry-after': '30' } }) : lastEvent(),
  );
  await advance(30_000);
  expect(signals).toHaveLength(1);
  // Not all who were told so come in the same moment.
  await advance(250);
  expect(await seen).toHaveLength(1);
});

test('a connection that is silent for longer than four heartbeats is replaced', async () => {
  const { seen, signals, advance } = stubTime((attempt, signal) =>
    attempt === 1 ? silence(signal) : lastEvent(),
  );
  await advance(19_999);
  expect(signals).toHaveLength(1);
  await advance(251);
  expect(signals).toHaveLength(2);
  expect(signals[0]?.aborted).toBe(true);
  expect(await seen).toEqual([{ index: 0, event: completed }]);
});

test('a page that is looked at again does not trust a connection that missed a heartbeat', async () => {
  const browser = stubBrowser();
  const { seen, signals, advance } = stubTime((attempt, signal) =>
    attempt === 1 ? silence(signal) : lastEvent(),
  );
  await advance(7_000);
  browser.dispatchEvent(new Event('visibilitychange'));
  await advance(1_000);
  expect(signals).toHaveLength(1);
  browser.dispatchEvent(new Event('visibilitychange'));
  await advance(250);
  expect(signals).toHaveLength(2);
  expect(await seen).toHaveLength(1);
});
