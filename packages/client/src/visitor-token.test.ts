import { expect, onTestFinished, test, vi } from 'vitest';
import { collect } from '../testing/events.ts';
import { answer, serve } from '../testing/serve.ts';
import { type Connection, request, requestInTime } from './connection.ts';
import { followSession } from './follow.ts';
import { withVisitorToken } from './visitor-token.ts';

const refusal = (code: string) => ({ ok: false, error: 'No.', code, requestId: 'r' });

/** A service that takes these tokens, and what it was shown. */
async function door(taken: readonly string[], code = 'VISITOR_TOKEN_INVALID') {
  const shown: unknown[] = [];
  const connection = await serve((message, response) => {
    const token = message.headers['x-parley-visitor-token'];
    shown.push(token);
    if (taken.includes(String(token))) answer(response, 200, { ok: true });
    else answer(response, 401, refusal(code));
  });
  return { connection, shown };
}

function tokens(...values: (string | Error)[]) {
  let asked = 0;
  return {
    asked: () => asked,
    get: async () => {
      const value = values[Math.min(asked++, values.length - 1)];
      if (value instanceof Error) throw value;
      return String(value);
    },
  };
}

test('the token is asked for once, also by requests at the same time, and shown with each', async () => {
  const { connection, shown } = await door(['one']);
  const source = tokens('one', 'two');
  const visitor = withVisitorToken(connection, source.get);
  await Promise.all([request(visitor, '/a', {}), request(visitor, '/b', { body: {} })]);
  await request(visitor, '/c', {});
  expect(shown).toEqual(['one', 'one', 'one']);
  expect(source.asked()).toBe(1);
});

test('a token that is refused is replaced, and the request repeated once', async () => {
  const { connection, shown } = await door(['two']);
  const source = tokens('one', 'two');
  const visitor = withVisitorToken(connection, source.get);
  expect((await request(visitor, '/', { body: { message: 'x' } })).status).toBe(200);
  await request(visitor, '/', {});
  expect(shown).toEqual(['one', 'two', 'two']);
});

test('a second refusal is the answer', async () => {
  const { connection, shown } = await door([]);
  const visitor = withVisitorToken(connection, tokens('one').get);
  await expect(request(visitor, '/', {})).rejects.toMatchObject({
    status: 401,
    code: 'VISITOR_TOKEN_INVALID',
  });
  expect(shown).toHaveLength(2);
});

test('a refused key is no reason for another token', async () => {
  const { connection, shown } = await door([], 'UNAUTHORIZED');
  const source = tokens('one');
  const visitor = withVisitorToken(connection, source.get);
  await expect(request(visitor, '/', {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect([shown.length, source.asked()]).toEqual([1, 1]);
});

test('a token that could not be had is asked for again by the next request', async () => {
  const { connection } = await door(['one']);
  const source = tokens(new Error('The firm is closed.'), 'one');
  const visitor = withVisitorToken(connection, source.get);
  await expect(request(visitor, '/', {})).rejects.toMatchObject({ code: 'NETWORK' });
  expect((await request(visitor, '/', {})).status).toBe(200);
});

/** A tenant's server that answers nobody who asks it first. */
function silentAtFirst() {
  let asked = 0;
  return () => ((asked += 1) === 1 ? new Promise<string>(() => {}) : 'two');
}

test('a token that does not come is asked for again once a request has waited in vain', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const shown: unknown[] = [];
  const service: typeof fetch = async (_, init) => {
    shown.push(new Headers(init?.headers).get('x-parley-visitor-token'));
    return Response.json({ ok: true });
  };
  const visitor = withVisitorToken({ baseUrl: '', key: 'k', fetch: service }, silentAtFirst());
  const failed = expect(requestInTime(visitor, '/', { body: {} }, () => {})).rejects.toMatchObject({
    code: 'NETWORK',
  });
  await vi.advanceTimersByTimeAsync(30_001);
  await failed;
  expect((await request(visitor, '/', {})).status).toBe(200);
  expect(shown).toEqual(['two']);
});

/** The first token is waited for in vain, and may come yet; of those after it the test decides. */
async function waitedInVain(connection: Connection, ...next: readonly (() => string | Promise<string>)[]) {
  const first = Promise.withResolvers<string>();
  const get = [() => first.promise, ...next];
  const visitor = withVisitorToken(connection, () => get.shift()?.() ?? 'none');
  const page = new AbortController();
  const left = expect(request(visitor, '/', { signal: page.signal })).rejects.toMatchObject({
    code: 'ABORTED',
  });
  page.abort();
  await left;
  return { visitor, first };
}

test('a token that comes after somebody has waited in vain is taken', async () => {
  const { connection, shown } = await door(['late']);
  const { visitor, first } = await waitedInVain(connection, () => new Promise<string>(() => {}));
  const asking = request(visitor, '/', {});
  first.resolve('late');
  expect((await asking).status).toBe(200);
  expect(shown).toEqual(['late']);
});

test('a token that cannot be had is an error at once, though an earlier one may come yet', async () => {
  const { connection, shown } = await door(['three']);
  const cause = new Error('No network.');
  const { visitor } = await waitedInVain(
    connection,
    () => Promise.reject(cause),
    () => 'three',
  );
  await expect(request(visitor, '/', {})).rejects.toMatchObject({ code: 'NETWORK', cause });
  await request(visitor, '/', {});
  expect(shown).toEqual(['three']);
});

test('a token that comes late does not count any more where the next one says that somebody else is here', async () => {
  const { connection, shown } = await door(['late', 'other']);
  const next = Promise.withResolvers<string>();
  const { visitor, first } = await waitedInVain(
    connection,
    () => next.promise,
    () => 'other',
  );
  const asking = request(visitor, '/', {});
  first.resolve('late');
  await asking;
  expect(shown).toEqual(['late']);
  next.reject(new Error('Another visitor has come.'));
  const shownNow = async () => {
    await request(visitor, '/', {});
    return shown.at(-1);
  };
  await expect.poll(shownNow).toBe('other');
});

test('whoever waits for a token leaves at the abort', async () => {
  const { connection, shown } = await door(['two']);
  const visitor = withVisitorToken(connection, silentAtFirst());
  const page = new AbortController();
  const { signal } = page;
  const following = collect(followSession(visitor, 's1', { signal }));
  const asking = expect(request(visitor, '/', { signal })).rejects.toMatchObject({ code: 'ABORTED' });
  page.abort();
  expect(await following).toEqual([]);
  await asking;
  expect(shown).toEqual([]);
});

test('a request that is aborted later leaves the token to the others', async () => {
  const { connection } = await door(['one']);
  const source = tokens('one', 'two');
  const visitor = withVisitorToken(connection, source.get);
  const page = new AbortController();
  await request(visitor, '/', { signal: page.signal });
  page.abort();
  await request(visitor, '/', {});
  expect(source.asked()).toBe(1);
});

test('the header has the name of the deployment’s platform', async () => {
  let named: unknown;
  const connection = await serve((message, response) => {
    named = message.headers['x-eve-visitor-token'];
    answer(response, 200, {});
  });
  await request(
    withVisitorToken({ ...connection, platform: 'eve' }, () => 'one'),
    '/',
    {},
  );
  expect(named).toBe('one');
});
