import { maxEventBytes, maxPageBytes } from '@parley/protocol/bounds';
import { expect, test } from 'vitest';
import type { Store } from '../store.ts';
import { EventTooLarge, Fenced } from '../store-error.ts';
import {
  acceptance,
  delta,
  inputRequested,
  logOf,
  opened,
  sessionCompleted,
  start,
  stepStarted,
  texts,
  historyOf,
} from './samples.ts';

export function testRunning(store: () => Store): void {
  test('appends at dense indexes from 0, and gives back exactly what was appended', async () => {
    const claim = await opened(store());
    const first = { ...delta('a'), concealed: true, itemId: 'item_1' };
    expect(await store().commit(claim, { events: [first, delta('b')], now: start })).toEqual({
      firstIndex: 0,
      released: false,
    });
    expect(await store().commit(claim, { events: [sessionCompleted], now: start + 1 })).toEqual({
      firstIndex: 2,
      released: false,
    });
    expect(await logOf(store(), 'session_1')).toEqual([
      { index: 0, ...first },
      { index: 1, ...delta('b') },
      { index: 2, ...sessionCompleted },
    ]);
    expect(await store().session('session_1')).toMatchObject({ nextIndex: 3, activeAt: start + 1 });
  });

  test('any two reads are prefixes of one another, while batches are appended', async () => {
    const claim = await opened(store());
    const written = [];
    const reads = [];
    for (let batch = 0; batch < 20; batch++) {
      const events = Array.from({ length: batch % 4 }, (_, n) => delta(`${batch}.${n}`));
      written.push(...texts(events));
      const committed = store().commit(claim, { events, now: start });
      reads.push(logOf(store(), 'session_1'));
      await committed;
      reads.push(logOf(store(), 'session_1'));
      expect(texts(await logOf(store(), 'session_1'))).toEqual(written);
    }
    for (const read of await Promise.all(reads)) {
      expect(texts(read)).toEqual(written.slice(0, read.length));
      expect(read.map(({ index }) => index)).toEqual(read.map((_, position) => position));
    }
  });

  test('a page of the log ends where its bytes do, and never before its first event', async () => {
    const claim = await opened(store());
    const sizes = [200_000, 200_000, 200_000, 10, 250_000];
    const written = sizes.map((size, index) => String(index).repeat(size));
    await store().commit(claim, { events: written.map(delta), now: start });
    const first = await store().read('session_1', 0, 100);
    expect(texts(first.events)).toEqual(written.slice(0, 2));
    expect(first.next).toBe(2);
    const second = await store().read('session_1', 2, 100);
    expect(texts(second.events)).toEqual(written.slice(2));
    expect(second.next).toBeNull();
  });

  test('an event beyond the bound is refused, with all that was to be written beside it', async () => {
    const claim = await opened(store());
    const frame = Buffer.byteLength(JSON.stringify((delta('').event as { data: unknown }).data));
    const largest = 'x'.repeat(maxEventBytes - frame);
    const tooLarge = { events: [delta('a'), delta(`${largest}x`)], consume: [0], now: start };
    await expect(store().commit(claim, tooLarge)).rejects.toThrow(EventTooLarge);
    expect(await store().queue('session_1')).toHaveLength(1);
    await store().commit(claim, { events: [delta(largest)], now: start });
    expect(texts(await logOf(store(), 'session_1'))).toEqual([largest]);
  });

  test('reads from an index, as many as asked for', async () => {
    const claim = await opened(store());
    await store().commit(claim, { events: ['a', 'b', 'c', 'd'].map(delta), now: start });
    const page = await store().read('session_1', 1, 2);
    expect(texts(page.events)).toEqual(['b', 'c']);
    expect(page.next).toBe(3);
    expect(texts((await store().read('session_1', 3, 1)).events)).toEqual(['d']);
    expect(await store().read('session_1', 2, 2)).toMatchObject({ next: null });
    expect(await store().read('session_1', 4, 2)).toEqual({ events: [], next: null });
    expect(await logOf(store(), 'session_2')).toEqual([]);
  });

  test('finds the step that an index belongs to', async () => {
    const claim = await opened(store());
    const events = [delta('a'), stepStarted, delta('b'), stepStarted, delta('c')];
    await store().commit(claim, { events, now: start });
    const starts = [0, 1, 2, 3, 4, 9].map((index) => store().stepStart('session_1', index));
    expect(await Promise.all(starts)).toEqual([0, 1, 1, 3, 3, 3]);
    expect(await store().stepStart('session_2', 5)).toBe(0);
  });

  test('finds what was asked, newest first, whatever lies between', async () => {
    const claim = await opened(store());
    const events = [inputRequested('a'), delta('x'), inputRequested('b'), delta('y'), inputRequested('c')];
    await store().commit(claim, { events, now: start });
    const before = async (index: number, limit: number) =>
      (await store().inputRequests('session_1', index, limit)).map((event) => event.index);
    expect(await before(99, 9)).toEqual([4, 2, 0]);
    expect(await before(4, 1)).toEqual([2]);
    expect(await before(0, 9)).toEqual([]);
    expect(await store().inputRequests('session_1', 1, 9)).toEqual([{ index: 0, ...events[0] }]);
    expect(await store().inputRequests('session_2', 99, 9)).toEqual([]);
  });

  test('keeps the results of calls until they are dropped, and of removed sessions none', async () => {
    const claim = await opened(store());
    const kept = (callId: string) => store().callResult('session_1', callId);
    const results = [
      { callId: 'a', result: { type: 'text', value: 'found' } },
      { callId: 'b', result: null },
    ];
    await store().commit(claim, { events: [], results, now: start });
    expect(await kept('a')).toEqual({ type: 'text', value: 'found' });
    expect(await store().callResult('session_2', 'a')).toBeNull();
    const last = { callId: 'c', result: 1 };
    await store().commit(claim, { events: [], results: [last], dropResults: ['a', 'c'], now: start });
    expect([await kept('a'), await kept('c')]).toEqual([null, null]);
    await store().commit(claim, { events: [], results: [last], now: start });
    await store().remove('session_1');
    await opened(store());
    expect(await kept('c')).toBeNull();
  });

  test('an item knows how long the log was when it was accepted', async () => {
    const claim = await opened(store());
    await store().commit(claim, { events: [delta('a'), delta('b')], now: start });
    await store().accept(acceptance({ item: { id: 'item_2', body: null } }));
    const queue = await store().queue('session_1');
    expect(queue.map(({ acceptedIndex }) => acceptedIndex)).toEqual([0, 2]);
  });

  test('commits state, history, consumed items and status together with the events', async () => {
    const claim = await opened(store());
    const history = [{ turn: 1, message: { role: 'user', content: 'hello' } }];
    await store().commit(claim, {
      events: [delta('a')],
      state: { turns: 1 },
      history,
      consume: [0],
      now: start,
    });
    expect(await store().session('session_1')).toMatchObject({ state: { turns: 1 }, status: 'open' });
    expect(await historyOf(store(), 'session_1')).toEqual(history);
    expect(await store().queue('session_1')).toEqual([]);
    await store().commit(claim, { events: [], now: start });
    expect(await store().session('session_1')).toMatchObject({ state: { turns: 1 } });
    await store().commit(claim, { events: [], state: null, status: 'failed', now: start });
    expect(await store().session('session_1')).toMatchObject({ state: null, status: 'failed' });
  });

  test('a withdrawn turn leaves the history and keeps its events; what the same commit adds stays', async () => {
    const claim = await opened(store());
    const said = (turn: number, message: string) => ({ turn, message });
    const history = [said(1, 'a'), said(2, 'b'), said(1, 'c'), said(3, 'd')];
    await store().commit(claim, { events: [delta('a')], history, now: start });
    await store().commit(claim, { events: [], withdraw: [1, 3], history: [said(3, 'e')], now: start });
    expect(await historyOf(store(), 'session_1')).toEqual([said(2, 'b'), said(3, 'e')]);
    expect(await logOf(store(), 'session_1')).toHaveLength(1);
  });

  test('history after a turn, in the order it was added, also where an earlier turn adds to it later', async () => {
    const claim = await opened(store());
    const said = (turn: number, message: string) => ({ turn, message });
    const history = [said(1, 'a'), said(2, 'b'), said(3, 'c'), said(2, 'd'), said(4, 'e')];
    for (const entry of history) await store().commit(claim, { events: [], history: [entry], now: start });
    expect(await historyOf(store(), 'session_1', 1)).toEqual(history.slice(1));
    expect(await historyOf(store(), 'session_1', 2)).toEqual([said(3, 'c'), said(4, 'e')]);
    expect(await historyOf(store(), 'session_1', 4)).toEqual([]);
    expect(await historyOf(store(), 'session_2')).toEqual([]);
  });

  test('a page of history is bounded by the bytes of its messages, unless one alone has more', async () => {
    const claim = await opened(store());
    const sizes = [200_000, 200_000, 300_000, 600_000, 1, 1];
    const history = sizes.map((size, turn) => ({ turn, message: 'é'.repeat(size / 2) }));
    await store().commit(claim, { events: [], history, now: start });
    const pages: number[][] = [];
    let from: number | null = null;
    do {
      const page = await store().history('session_1', { afterTurn: -1, from });
      pages.push(page.entries.map(({ turn }) => turn));
      if (page.entries.length > 1) expect(page.bytes).toBeLessThanOrEqual(maxPageBytes);
      from = page.next;
    } while (from !== null);
    expect(pages).toEqual([[0, 1], [2], [3], [4, 5]]);
  });

  test('what was passed in may change afterwards without changing what is stored', async () => {
    const claim = await opened(store());
    const state = { turns: 1 };
    const committed = store().commit(claim, { events: [], state, now: start });
    state.turns = 2;
    await committed;
    expect((await store().session('session_1'))?.state).toEqual({ turns: 1 });
  });

  test('one claim at a time; it ends with its lease, and an older one can write nothing', async () => {
    const first = await opened(store());
    const later = { owner: 'second', until: start + 30_000 };
    expect(await store().claim('session_1', { ...later, now: start + 9_999 })).toBeNull();
    const second = await store().claim('session_1', { ...later, now: start + 10_000 });
    expect(second).toEqual({ sessionId: 'session_1', epoch: first.epoch + 1 });

    const late = {
      events: [delta('late')],
      state: 'late',
      history: [{ turn: 1, message: 'late' }],
      now: start,
    };
    await expect(store().commit(first, { ...late, consume: [0], status: 'failed' })).rejects.toThrow(Fenced);
    expect(await store().release(first)).toBe(false);
    expect(await logOf(store(), 'session_1')).toEqual([]);
    expect(await historyOf(store(), 'session_1')).toEqual([]);
    expect(await store().queue('session_1')).toHaveLength(1);
    expect(await store().session('session_1')).toMatchObject({
      status: 'open',
      nextIndex: 0,
      state: { turns: 0 },
    });
    expect(await store().commit(second!, { events: [delta('on time')], now: start })).toMatchObject({
      firstIndex: 0,
    });
  });

  test('of many that claim at once, one gets the session', async () => {
    await opened(store());
    await store().expireAll();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        store().claim('session_1', { owner: `runner ${n}`, until: start + 1000, now: start }),
      ),
    );
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  });

  test('accepting for a session whose lease is over takes it over', async () => {
    const first = await opened(store());
    const later = acceptance({ now: start + 10_000, lease: { owner: 'second', until: start + 20_000 } });
    expect(await store().accept(later)).toMatchObject({ claim: { epoch: first.epoch + 1 } });
    await expect(store().commit(first, { events: [], now: start })).rejects.toThrow(Fenced);
  });

  test('renewing prolongs what the owner still holds, and nothing else', async () => {
    await opened(store());
    await store().renew('somebody else', start + 50_000);
    await store().renew('runner', start + 20_000);
    const attempt = { owner: 'second', until: start + 90_000 };
    expect(await store().claim('session_1', { ...attempt, now: start + 19_999 })).toBeNull();
    expect(await store().claim('session_1', { ...attempt, now: start + 20_000 })).not.toBeNull();
    await store().renew('runner', start + 95_000);
    const third = { owner: 'third', until: start + 99_000, now: start + 90_000 };
    expect(await store().claim('session_1', third)).not.toBeNull();
  });

  test('a session is not let go while an item is queued', async () => {
    const claim = await opened(store());
    expect(await store().release(claim)).toBe(false);
    await store().commit(claim, { events: [delta('still mine')], consume: [0], now: start });
    expect(await store().release(claim)).toBe(true);
    expect(await store().release(claim)).toBe(false);
    await expect(store().commit(claim, { events: [delta('late')], now: start })).rejects.toThrow(Fenced);
  });

  test('a commit lets go of the session in the same breath, but not while an item is queued', async () => {
    const claim = await opened(store());
    const events = [delta('a')];
    expect(await store().commit(claim, { events, release: true, now: start })).toMatchObject({
      released: false,
    });
    const last = { events, consume: [0], release: true, now: start };
    expect(await store().commit(claim, last)).toEqual({ firstIndex: 1, released: true });
    await expect(store().commit(claim, { events, now: start })).rejects.toThrow(Fenced);
    expect(await store().claim('session_1', { owner: 'next', until: start + 1, now: start })).not.toBeNull();
  });

  test('letting go and accepting at the same moment never leaves an item that nobody runs', async () => {
    for (let round = 0; round < 50; round++) {
      const sessionId = `session_${round}`;
      const claim = await opened(store(), sessionId);
      await store().commit(claim, { events: [], consume: [0], now: start });
      const accept = () => store().accept(acceptance({ sessionId }));
      const release = () => store().release(claim);
      const [accepted, released] =
        round % 2 === 0
          ? await Promise.all([accept(), release()])
          : await Promise.all([release(), accept()]).then(([a, b]) => [b, a] as const);
      expect(accepted.outcome).toBe('accepted');
      if (accepted.outcome === 'accepted') expect(accepted.claim === null).toBe(!released);
    }
  });

  test('names what to take over: leases that ran out and items nobody holds, oldest activity first', async () => {
    await opened(store(), 'crashed');
    const waiting = await opened(store(), 'waiting');
    const done = await opened(store(), 'done');
    await store().commit(done, { events: [], consume: [0], now: start + 20 });
    await store().release(done);
    const ended = await opened(store(), 'ended');
    await store().commit(ended, { events: [], status: 'failed', now: start });
    await store().commit(waiting, { events: [], now: start - 10 });
    await store().commit(waiting, { events: [], now: start + 10 });

    expect(await store().abandoned({ owner: 'second', now: start + 9_999, limit: 10 })).toEqual([]);
    expect(await store().abandoned({ owner: 'second', now: start + 10_000, limit: 10 })).toEqual([
      'crashed',
      'waiting',
    ]);
    expect(await store().abandoned({ owner: 'second', now: start + 10_000, limit: 1 })).toEqual(['crashed']);
    await store().expireAll();
    expect(await store().abandoned({ owner: 'second', now: start, limit: 10 })).toEqual([
      'crashed',
      'waiting',
    ]);
    await store().claim('crashed', { owner: 'second', until: start + 1000, now: start });
    expect(await store().abandoned({ owner: 'second', now: start, limit: 10 })).toEqual(['waiting']);
  });

  test('names a session whose time has come, until it is told otherwise', async () => {
    const claim = await opened(store());
    await store().commit(claim, { events: [], consume: [0], wakeAt: start + 50, now: start });
    const named = (now: number) => store().abandoned({ owner: 'second', now, limit: 10 });
    expect(await named(start + 50)).toEqual([]);
    await store().release(claim);
    expect(await named(start + 49)).toEqual([]);
    expect(await named(start + 50)).toEqual(['session_1']);
    const lease = { owner: 'second', until: start + 1_000, now: start + 60 };
    const again = await store().claim('session_1', lease);
    expect(await named(start + 60)).toEqual([]);
    await store().commit(again!, { events: [delta('a')], release: true, now: start + 60 });
    expect(await named(start + 60)).toEqual(['session_1']);
    const last = await store().claim('session_1', lease);
    await store().commit(last!, { events: [], wakeAt: null, release: true, now: start + 60 });
    expect(await named(start + 60)).toEqual([]);
    const ended = await opened(store(), 'ended');
    await store().commit(ended, { events: [], consume: [0], wakeAt: start, status: 'reset', now: start });
    await store().release(ended);
    expect(await named(start + 60)).toEqual([]);
  });

  test('ends an open session that nobody runs, once', async () => {
    const change = { events: [sessionCompleted], status: 'completed', now: start + 1 } as const;
    const claim = await opened(store());
    expect(await store().end('session_1', change)).toBe(false);
    await store().commit(claim, { events: [delta('a')], consume: [0], now: start });
    await store().release(claim);
    expect(await store().end('session_1', change)).toBe(true);
    expect(await store().end('session_1', change)).toBe(false);
    expect(await store().end('session_2', change)).toBe(false);
    expect(texts(await logOf(store(), 'session_1'))).toEqual(['a', 'session.completed']);
    expect(await store().session('session_1')).toMatchObject({ status: 'completed', nextIndex: 2 });
    expect(await store().claim('session_1', { owner: 'second', until: start, now: start })).toBeNull();
  });

  test('ending a session whose lease ran out fences the runner that held it', async () => {
    const claim = await opened(store());
    await store().expireAll();
    expect(await store().end('session_1', { events: [], status: 'completed', now: start })).toBe(true);
    await expect(store().commit(claim, { events: [delta('late')], now: start })).rejects.toThrow(Fenced);
  });

  test('an owner never takes from itself what it holds, however far the clock jumps', async () => {
    const claim = await opened(store());
    const years = 365 * 86_400_000;
    for (const now of [start + years, start - years]) {
      const lease = { owner: 'runner', until: now + 10_000 };
      expect(await store().abandoned({ owner: 'runner', now, limit: 10 })).toEqual([]);
      expect(await store().claim('session_1', { ...lease, now })).toBeNull();
      expect(await store().accept(acceptance({ now, lease }))).toMatchObject({ claim: null });
      await store().commit(claim, { events: [delta('still mine')], now });
    }
    const now = start + years;
    expect(await store().abandoned({ owner: 'second', now, limit: 10 })).toEqual(['session_1']);
    expect(await store().claim('session_1', { owner: 'second', until: now + 1, now })).not.toBeNull();
  });

  test.each(['commit', 'end'] as const)(
    'a session ended by a %s is held by nobody, has nothing queued and does not wake',
    async (by) => {
      const claim = await opened(store());
      await store().accept(acceptance({ item: { id: 'item_2', body: null } }));
      await store().commit(claim, { events: [], wakeAt: start + 5, now: start });
      const change = { events: [sessionCompleted], status: 'completed', now: start + 10_000 } as const;
      if (by === 'commit') {
        expect(await store().commit(claim, change)).toEqual({ firstIndex: 0, released: true });
      } else {
        expect(await store().end('session_1', change)).toBe(true);
      }
      expect(await store().queue('session_1')).toEqual([]);
      await expect(store().commit(claim, { events: [delta('late')], now: start })).rejects.toThrow(Fenced);
      const now = start + 99_999;
      expect(await store().abandoned({ owner: 'second', now, limit: 10 })).toEqual([]);
      expect(await store().claim('session_1', { owner: 'second', until: now + 1, now })).toBeNull();
    },
  );

  test('a removed session is held by nobody, and what it had queued is not in one opened under its id', async () => {
    const claim = await opened(store());
    expect(await store().remove('session_1')).toBe(true);
    await expect(store().commit(claim, { events: [delta('late')], now: start })).rejects.toThrow(Fenced);
    expect(await store().abandoned({ owner: 'second', now: start + 99_999, limit: 10 })).toEqual([]);
    await opened(store());
    expect(await store().queue('session_1')).toHaveLength(1);
  });

  test('finds open sessions without activity, of an agent or of all', async () => {
    const open = (agentId: string, sessionId: string, now: number) =>
      store().accept(
        acceptance({
          sessionId,
          now,
          open: {
            tenantId: 'tenant_1',
            agentId,
            interface: 'sessions',
            conversationId: null,
            conversationScope: null,
            visitor: null,
            state: null,
          },
        }),
      );
    await open('agent_1', 'b', start + 1);
    await open('agent_2', 'a', start);
    await open('agent_1', 'c', start + 2);
    const ended = await opened(store(), 'ended');
    await store().commit(ended, { events: [], status: 'reset', now: start });

    expect(await store().idle({ before: start + 2, limit: 10 })).toEqual(['a', 'b']);
    expect(await store().idle({ before: start + 3, limit: 2 })).toEqual(['a', 'b']);
    expect(await store().idle({ agentId: 'agent_1', before: start + 3, limit: 10 })).toEqual(['b', 'c']);
    expect(await store().idle({ agentId: 'agent_3', before: start + 3, limit: 10 })).toEqual([]);
    expect(await store().ended({ agentId: 'agent_1', before: start + 1, limit: 10 })).toEqual(['ended']);
    expect(await store().ended({ agentId: 'agent_1', before: start, limit: 10 })).toEqual([]);
    expect(await store().ended({ agentId: 'agent_2', before: start + 9, limit: 10 })).toEqual([]);
    expect(await store().ended({ agentId: null, before: start + 1, limit: 10 })).toEqual(['ended']);
  });
}
