import { maxEventBytes, maxPageBytes } from '@parley/protocol/bounds';
import { expect, test } from 'vitest';
import type { EnqueueResult } from '../queue-store.ts';
import { dayMs } from '../day-ms.ts';
import type { Store } from '../store.ts';
import { EventTooLargeError, LeaseLostError } from '../store-error.ts';
import {
  enqueueRequest,
  delta,
  inputRequested,
  logOf,
  leaseMs,
  opened,
  opening,
  sessionCompleted,
  start,
  stepStarted,
  texts,
  historyOf,
  type TestClock,
} from './samples.ts';
import { seed } from './settings.ts';

export function testRunning(store: () => Store, clock: TestClock): void {
  test('appends at dense indexes from 0, and gives back exactly what was appended', async () => {
    const lease = await opened(store());
    const first = { ...delta('a'), concealed: true, itemId: 'item_1' };
    expect(await store().commit(lease, { events: [first, delta('b')] })).toEqual({
      firstIndex: 0,
      released: false,
    });
    clock.now = start + 1;
    expect(await store().commit(lease, { events: [sessionCompleted] })).toEqual({
      firstIndex: 2,
      released: false,
    });
    expect(await logOf(store(), 'session_1')).toEqual([
      { index: 0, ...first },
      { index: 1, ...delta('b') },
      { index: 2, ...sessionCompleted },
    ]);
    expect(await store().getSession('session_1')).toMatchObject({ nextIndex: 3, activeAt: start + 1 });
  });

  test('says how far logs are and whose they are, of those sessions that exist', async () => {
    const lease = await opened(store());
    await opened(store(), 'session_2');
    await store().commit(lease, { events: [delta('a'), delta('b')] });
    await store().assignVisitor('session_2', 'visitor_1');
    const heads = await store().listSessionHeads(['session_2', 'gone', 'session_1']);
    expect(heads.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
      { id: 'session_1', nextIndex: 2 },
      { id: 'session_2', nextIndex: 0 },
    ]);
    expect(await store().listOwned(['session_2', 'gone', 'session_1'])).toEqual([
      { id: 'session_2', visitor: 'visitor_1' },
    ]);
  });

  test('any two reads are prefixes of one another, while batches are appended', async () => {
    const lease = await opened(store());
    const written = [];
    const reads = [];
    for (let batch = 0; batch < 20; batch++) {
      const events = Array.from({ length: batch % 4 }, (_, n) => delta(`${batch}.${n}`));
      written.push(...texts(events));
      const committed = store().commit(lease, { events });
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
    const lease = await opened(store());
    const sizes = [200_000, 200_000, 200_000, 10, 250_000];
    const written = sizes.map((size, index) => String(index).repeat(size));
    await store().commit(lease, { events: written.map(delta) });
    const first = await store().readEvents('session_1', 0, 100);
    expect(texts(first.events)).toEqual(written.slice(0, 2));
    expect(first.next).toBe(2);
    const second = await store().readEvents('session_1', 2, 100);
    expect(texts(second.events)).toEqual(written.slice(2));
    expect(second.next).toBeNull();
  });

  test('an event beyond the bound is rejected, with all that was to be written beside it', async () => {
    const lease = await opened(store());
    const frame = Buffer.byteLength(JSON.stringify((delta('').event as { data: unknown }).data));
    const largest = 'x'.repeat(maxEventBytes - frame);
    const tooLarge = { events: [delta('a'), delta(`${largest}x`)], consume: [0] };
    await expect(store().commit(lease, tooLarge)).rejects.toThrow(EventTooLargeError);
    expect(await store().listQueue('session_1')).toHaveLength(1);
    await store().commit(lease, { events: [delta(largest)] });
    expect(texts(await logOf(store(), 'session_1'))).toEqual([largest]);
  });

  test('reads from an index, as many as asked for', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: ['a', 'b', 'c', 'd'].map(delta) });
    const page = await store().readEvents('session_1', 1, 2);
    expect(texts(page.events)).toEqual(['b', 'c']);
    expect(page.next).toBe(3);
    expect(texts((await store().readEvents('session_1', 3, 1)).events)).toEqual(['d']);
    expect(await store().readEvents('session_1', 2, 2)).toMatchObject({ next: null });
    expect(await store().readEvents('session_1', 4, 2)).toEqual({ events: [], next: null });
    expect(await logOf(store(), 'session_2')).toEqual([]);
  });

  test('finds the step that an index belongs to', async () => {
    const lease = await opened(store());
    const events = [delta('a'), stepStarted, delta('b'), stepStarted, delta('c')];
    await store().commit(lease, { events });
    const starts = [0, 1, 2, 3, 4, 9].map((index) => store().stepStartIndex('session_1', index));
    expect(await Promise.all(starts)).toEqual([0, 1, 1, 3, 3, 3]);
    expect(await store().stepStartIndex('session_2', 5)).toBe(0);
  });

  test('finds what was asked, newest first, whatever lies between', async () => {
    const lease = await opened(store());
    const events = [inputRequested('a'), delta('x'), inputRequested('b'), delta('y'), inputRequested('c')];
    await store().commit(lease, { events });
    const before = async (index: number, limit: number) =>
      (await store().listInputRequests('session_1', index, limit)).map((event) => event.index);
    expect(await before(99, 9)).toEqual([4, 2, 0]);
    expect(await before(4, 1)).toEqual([2]);
    expect(await before(0, 9)).toEqual([]);
    expect(await store().listInputRequests('session_1', 1, 9)).toEqual([{ index: 0, ...events[0] }]);
    expect(await store().listInputRequests('session_2', 99, 9)).toEqual([]);
  });

  test('keeps the results of calls until they are dropped, and of removed sessions none', async () => {
    const lease = await opened(store());
    const kept = (callId: string) => store().getCallResult('session_1', callId);
    const results = [
      { callId: 'a', result: { type: 'text', value: 'found' } },
      { callId: 'b', result: null },
    ];
    await store().commit(lease, { events: [], results });
    expect(await kept('a')).toEqual({ type: 'text', value: 'found' });
    expect(await store().getCallResult('session_2', 'a')).toBeNull();
    const last = { callId: 'c', result: 1 };
    await store().commit(lease, { events: [], results: [last], dropResults: ['a', 'c'] });
    expect([await kept('a'), await kept('c')]).toEqual([null, null]);
    await store().commit(lease, { events: [], results: [last] });
    await store().removeSession('session_1');
    await opened(store());
    expect(await kept('c')).toBeNull();
  });

  test('an item knows how long the log was when it was accepted', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [delta('a'), delta('b')] });
    await store().enqueue(enqueueRequest({ item: { id: 'item_2', body: null } }));
    const queue = await store().listQueue('session_1');
    expect(queue.map(({ acceptedIndex }) => acceptedIndex)).toEqual([0, 2]);
  });

  test('commits state, history, consumed items and status together with the events', async () => {
    const lease = await opened(store());
    const history = [{ turn: 1, message: { role: 'user', content: 'hello' } }];
    await store().commit(lease, {
      events: [delta('a')],
      state: { turns: 1 },
      history,
      consume: [0],
    });
    expect(await store().getSession('session_1')).toMatchObject({ state: { turns: 1 }, status: 'open' });
    expect(await historyOf(store(), 'session_1')).toEqual(history);
    expect(await store().listQueue('session_1')).toEqual([]);
    await store().commit(lease, { events: [] });
    expect(await store().getSession('session_1')).toMatchObject({ state: { turns: 1 } });
    await store().commit(lease, { events: [], state: null, status: 'failed' });
    expect(await store().getSession('session_1')).toMatchObject({ state: null, status: 'failed' });
  });

  test('a retracted turn leaves the history and keeps its events; what the same commit adds stays', async () => {
    const lease = await opened(store());
    const said = (turn: number, message: string) => ({ turn, message });
    const history = [said(1, 'a'), said(2, 'b'), said(1, 'c'), said(3, 'd')];
    await store().commit(lease, { events: [delta('a')], history });
    await store().commit(lease, { events: [], retract: [1, 3], history: [said(3, 'e')] });
    expect(await historyOf(store(), 'session_1')).toEqual([said(2, 'b'), said(3, 'e')]);
    expect(await logOf(store(), 'session_1')).toHaveLength(1);
  });

  test('history after a turn, in the order it was added, also where an earlier turn adds to it later', async () => {
    const lease = await opened(store());
    const said = (turn: number, message: string) => ({ turn, message });
    const history = [said(1, 'a'), said(2, 'b'), said(3, 'c'), said(2, 'd'), said(4, 'e')];
    for (const entry of history) await store().commit(lease, { events: [], history: [entry] });
    expect(await historyOf(store(), 'session_1', 1)).toEqual(history.slice(1));
    expect(await historyOf(store(), 'session_1', 2)).toEqual([said(3, 'c'), said(4, 'e')]);
    expect(await historyOf(store(), 'session_1', 4)).toEqual([]);
    expect(await historyOf(store(), 'session_2')).toEqual([]);
  });

  test('a page of history is bounded by the bytes of its messages, unless one alone has more', async () => {
    const lease = await opened(store());
    const sizes = [200_000, 200_000, 300_000, 600_000, 1, 1];
    const history = sizes.map((size, turn) => ({ turn, message: 'é'.repeat(size / 2) }));
    await store().commit(lease, { events: [], history });
    const pages: number[][] = [];
    let from: number | null = null;
    do {
      const page = await store().readHistory('session_1', { afterTurn: -1, from });
      pages.push(page.entries.map(({ turn }) => turn));
      if (page.entries.length > 1) expect(page.bytes).toBeLessThanOrEqual(maxPageBytes);
      from = page.next;
    } while (from !== null);
    expect(pages).toEqual([[0, 1], [2], [3], [4, 5]]);
  });

  test('what was passed in may change afterwards without changing what is stored', async () => {
    const lease = await opened(store());
    const state = { turns: 1 };
    const committed = store().commit(lease, { events: [], state });
    state.turns = 2;
    await committed;
    expect((await store().getSession('session_1'))?.state).toEqual({ turns: 1 });
  });

  test('one lease at a time; it runs out, and an older one can write nothing', async () => {
    const first = await opened(store());
    const later = { owner: 'second', leaseMs };
    clock.now = start + leaseMs - 1;
    expect(await store().acquireLease('session_1', later)).toBeNull();
    clock.now = start + leaseMs;
    const second = await store().acquireLease('session_1', later);
    expect(second).toEqual({ sessionId: 'session_1', epoch: first.epoch + 1 });

    const late = {
      events: [delta('late')],
      state: 'late',
      history: [{ turn: 1, message: 'late' }],
    };
    await expect(store().commit(first, { ...late, consume: [0], status: 'failed' })).rejects.toThrow(
      LeaseLostError,
    );
    expect(await store().releaseLease(first)).toBe(false);
    expect(await logOf(store(), 'session_1')).toEqual([]);
    expect(await historyOf(store(), 'session_1')).toEqual([]);
    expect(await store().listQueue('session_1')).toHaveLength(1);
    expect(await store().getSession('session_1')).toMatchObject({
      status: 'open',
      nextIndex: 0,
      state: { turns: 0 },
    });
    expect(await store().commit(second!, { events: [delta('on time')] })).toMatchObject({
      firstIndex: 0,
    });
  });

  test('of many that acquire the lease at once, one gets it', async () => {
    await opened(store());
    clock.now += leaseMs;
    const leases = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        store().acquireLease('session_1', { owner: `runner ${n}`, leaseMs }),
      ),
    );
    expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
  });

  test('accepting for a session whose lease is over takes it over', async () => {
    const first = await opened(store());
    clock.now += leaseMs;
    const later = enqueueRequest({ lease: { owner: 'second', leaseMs } });
    expect(await store().enqueue(later)).toMatchObject({ leased: { lease: { epoch: first.epoch + 1 } } });
    await expect(store().commit(first, { events: [] })).rejects.toThrow(LeaseLostError);
  });

  test('whoever accepts with the lease gets what it begins with: the session as it stands and the first item', async () => {
    const accepted = await store().enqueue(enqueueRequest());
    const { leased } = accepted as Extract<EnqueueResult, { outcome: 'accepted' }>;
    expect(leased?.session).toEqual(await store().getSession('session_1'));
    expect([leased?.item]).toEqual(await store().listQueue('session_1'));

    const change = { events: [delta('a')], state: { turns: 1 }, consume: [0], release: true };
    await store().commit(leased!.lease, change);
    clock.now = start + 5;
    const followUp = enqueueRequest({ item: { id: 'item_2', body: { kept: null } } });
    expect(await store().enqueue(followUp)).toMatchObject({
      leased: {
        session: { state: { turns: 1 }, nextIndex: 1, createdAt: start, activeAt: start + 5 },
        item: { id: 'item_2', position: 1, body: { kept: null }, acceptedAt: start + 5, acceptedIndex: 1 },
      },
    });
  });

  test('what an earlier owner left comes before what is accepted now', async () => {
    await opened(store());
    clock.now += leaseMs;
    const request = enqueueRequest({
      item: { id: 'item_2', body: null },
      lease: { owner: 'second', leaseMs },
    });
    expect(await store().enqueue(request)).toMatchObject({
      leased: { item: { id: 'item_1', body: { text: 'hello' } } },
    });
  });

  test('renewing prolongs what the owner still holds, and nothing else', async () => {
    await opened(store());
    await store().renewLeases({ owner: 'somebody else', leaseMs: 50_000 });
    clock.now = start + 5_000;
    await store().renewLeases({ owner: 'runner', leaseMs });
    const attempt = { owner: 'second', leaseMs };
    clock.now = start + 14_999;
    expect(await store().acquireLease('session_1', attempt)).toBeNull();
    clock.now = start + 15_000;
    expect(await store().acquireLease('session_1', attempt)).not.toBeNull();
    await store().renewLeases({ owner: 'runner', leaseMs: 50_000 });
    clock.now = start + 25_000;
    expect(await store().acquireLease('session_1', { owner: 'third', leaseMs })).not.toBeNull();
  });

  test('a session is not let go while an item is queued', async () => {
    const lease = await opened(store());
    expect(await store().releaseLease(lease)).toBe(false);
    await store().commit(lease, { events: [delta('still mine')], consume: [0] });
    expect(await store().releaseLease(lease)).toBe(true);
    expect(await store().releaseLease(lease)).toBe(false);
    await expect(store().commit(lease, { events: [delta('late')] })).rejects.toThrow(LeaseLostError);
  });

  test('a lease that is abandoned is anybody’s at once, whatever waits, and nothing prolongs it', async () => {
    const runnable = (owner: string) => store().listRunnable({ owner, limit: 10 });
    const lease = await opened(store());
    await store().abandonLease(lease);
    await store().renewLeases({ owner: 'runner', leaseMs });
    expect(await runnable('second')).toEqual(['session_1']);
    expect(await runnable('runner')).toEqual(['session_1']);
    const next = await store().acquireLease('session_1', { owner: 'runner', leaseMs });
    // A turn may stand open in the log of a session without a queue.
    await store().commit(next!, { events: [delta('open')], consume: [0] });
    await store().abandonLease(lease);
    expect(await runnable('second')).toEqual([]);
    await store().abandonLease(next!);
    expect(await runnable('second')).toEqual(['session_1']);
    const last = await store().acquireLease('session_1', { owner: 'second', leaseMs });
    await expect(store().commit(next!, { events: [delta('late')] })).rejects.toThrow(LeaseLostError);
    expect(await store().releaseLease(last!)).toBe(true);
    await store().abandonLease(last!);
    expect(await runnable('third')).toEqual([]);
  });

  test('a commit lets go of the session in the same breath, but not while an item is queued', async () => {
    const lease = await opened(store());
    const events = [delta('a')];
    expect(await store().commit(lease, { events, release: true })).toMatchObject({
      released: false,
    });
    const last = { events, consume: [0], release: true };
    expect(await store().commit(lease, last)).toEqual({ firstIndex: 1, released: true });
    await expect(store().commit(lease, { events })).rejects.toThrow(LeaseLostError);
    expect(await store().acquireLease('session_1', { owner: 'next', leaseMs: 1 })).not.toBeNull();
  });

  test('letting go and accepting at the same moment never leaves an item that nobody runs', async () => {
    for (let round = 0; round < 50; round++) {
      const sessionId = `session_${round}`;
      const lease = await opened(store(), sessionId);
      await store().commit(lease, { events: [], consume: [0] });
      const accept = () => store().enqueue(enqueueRequest({ sessionId }));
      const release = () => store().releaseLease(lease);
      const [accepted, released] =
        round % 2 === 0
          ? await Promise.all([accept(), release()])
          : await Promise.all([release(), accept()]).then(([a, b]) => [b, a] as const);
      expect(accepted.outcome).toBe('accepted');
      if (accepted.outcome === 'accepted') expect(accepted.leased === null).toBe(!released);
    }
  });

  test('names what to take over: leases that ran out and items nobody holds, oldest activity first', async () => {
    const runnable = (limit = 10) => store().listRunnable({ owner: 'second', limit });
    await opened(store(), 'crashed');
    clock.now = start + 10;
    await opened(store(), 'waiting');
    const done = await opened(store(), 'done');
    await store().commit(done, { events: [], consume: [0] });
    await store().releaseLease(done);
    const ended = await opened(store(), 'ended');
    await store().commit(ended, { events: [], status: 'failed' });

    clock.now = start + leaseMs - 1;
    expect(await runnable()).toEqual([]);
    clock.now = start + leaseMs;
    expect(await runnable()).toEqual(['crashed']);
    clock.now = start + leaseMs + 10;
    expect(await runnable()).toEqual(['crashed', 'waiting']);
    expect(await runnable(1)).toEqual(['crashed']);
    await store().acquireLease('crashed', { owner: 'second', leaseMs });
    expect(await runnable()).toEqual(['waiting']);
  });

  test('a session that was touched later is taken over later, and a clock set back changes no order', async () => {
    const first = await opened(store(), 'first');
    clock.now = start + 10;
    await opened(store(), 'second');
    await store().commit(first, { events: [] });
    clock.now = start + 20;
    await store().commit(first, { events: [] });
    clock.now = start - 10;
    await store().commit(first, { events: [] });
    clock.now = start + 2 * leaseMs;
    expect(await store().listRunnable({ owner: 'other', limit: 10 })).toEqual(['second', 'first']);
  });

  test('names a session whose time has come, until it is told otherwise', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [], consume: [0], wakeAt: start + 50 });
    const named = (now: number) => {
      clock.now = now;
      return store().listRunnable({ owner: 'second', limit: 10 });
    };
    expect(await named(start + 50)).toEqual([]);
    await store().releaseLease(lease);
    expect(await named(start + 49)).toEqual([]);
    expect(await named(start + 50)).toEqual(['session_1']);
    const asked = { owner: 'second', leaseMs };
    const again = await store().acquireLease('session_1', asked);
    expect(await named(start + 60)).toEqual([]);
    await store().commit(again!, { events: [delta('a')], release: true });
    expect(await named(start + 60)).toEqual(['session_1']);
    const last = await store().acquireLease('session_1', asked);
    await store().commit(last!, { events: [], wakeAt: null, release: true });
    expect(await named(start + 60)).toEqual([]);
    const ended = await opened(store(), 'ended');
    await store().commit(ended, { events: [], consume: [0], wakeAt: start, status: 'reset' });
    await store().releaseLease(ended);
    expect(await named(start + 60)).toEqual([]);
  });

  test('ends an open session that nobody runs, once', async () => {
    const change = { events: [sessionCompleted], status: 'completed' } as const;
    const lease = await opened(store());
    expect(await store().endSession('session_1', change)).toBeNull();
    await store().commit(lease, { events: [delta('a')], consume: [0] });
    await store().releaseLease(lease);
    expect(await store().endSession('session_1', change)).toBe(1);
    expect(await store().endSession('session_1', change)).toBeNull();
    expect(await store().endSession('session_2', change)).toBeNull();
    expect(texts(await logOf(store(), 'session_1'))).toEqual(['a', 'session.completed']);
    expect(await store().getSession('session_1')).toMatchObject({ status: 'completed', nextIndex: 2 });
    expect(await store().acquireLease('session_1', { owner: 'second', leaseMs })).toBeNull();
  });

  test('what is to be idle is neither ended nor removed once somebody has been there', async () => {
    for (const sessionId of ['ended', 'removed'])
      await store().enqueue(enqueueRequest({ sessionId, lease: null }));
    const change = { events: [], status: 'completed', idleMs: 100 } as const;
    const both = async () => [
      (await store().endSession('ended', change)) !== null,
      await store().removeSession('removed', { idleMs: 100 }),
    ];
    clock.now += 99;
    expect(await both()).toEqual([false, false]);
    expect(await store().listQueue('removed')).toHaveLength(1);
    for (const sessionId of ['ended', 'removed']) {
      const { open: _, ...again } = enqueueRequest({
        sessionId,
        item: { id: `again ${sessionId}`, body: {} },
        lease: null,
      });
      await store().enqueue(again);
    }
    clock.now += 99;
    expect(await both()).toEqual([false, false]);
    expect(await store().getSession('ended')).toMatchObject({ status: 'open' });
    clock.now += 1;
    expect(await both()).toEqual([true, true]);
    expect(await store().getSession('removed')).toBeNull();
  });

  test('a session whose lease ran out is not ended past whoever takes it over: its turn may be open', async () => {
    const lease = await opened(store());
    clock.now += leaseMs;
    expect(await store().endSession('session_1', { events: [], status: 'completed' })).toBeNull();
    await store().commit(lease, { events: [delta('late')] });
    const next = await store().acquireLease('session_1', { owner: 'second', leaseMs });
    expect(await store().commit(next!, { events: [], status: 'completed' })).toMatchObject({
      released: true,
    });
  });

  test('an owner never takes from itself what it holds, however far the clock jumps', async () => {
    const lease = await opened(store());
    const years = 365 * 86_400_000;
    const asked = { owner: 'runner', leaseMs };
    for (const now of [start + years, start - years]) {
      clock.now = now;
      expect(await store().listRunnable({ owner: 'runner', limit: 10 })).toEqual([]);
      expect(await store().acquireLease('session_1', asked)).toBeNull();
      expect(await store().enqueue(enqueueRequest({ lease: asked }))).toMatchObject({ leased: null });
      await store().commit(lease, { events: [delta('still mine')] });
    }
    clock.now = start + years;
    expect(await store().listRunnable({ owner: 'second', limit: 10 })).toEqual(['session_1']);
    expect(await store().acquireLease('session_1', { owner: 'second', leaseMs })).not.toBeNull();
  });

  test.each(['commit', 'end'] as const)(
    'a session ended by a %s is held by nobody, has nothing queued and does not wake',
    async (by) => {
      const lease = await opened(store());
      await store().enqueue(enqueueRequest({ item: { id: 'item_2', body: null } }));
      await store().commit(lease, { events: [], wakeAt: start + 5 });
      const change = { events: [sessionCompleted], status: 'completed' } as const;
      if (by === 'end') {
        await store().commit(lease, { events: [], consume: [0, 1], release: true });
        await store().enqueue(enqueueRequest({ lease: null, item: { id: 'item_3', body: null } }));
      }
      if (by === 'commit') {
        expect(await store().commit(lease, change)).toEqual({ firstIndex: 0, released: true });
      } else {
        expect(await store().endSession('session_1', change)).toBe(0);
      }
      expect(await store().listQueue('session_1')).toEqual([]);
      await expect(store().commit(lease, { events: [delta('late')] })).rejects.toThrow(LeaseLostError);
      clock.now = start + 99_999;
      expect(await store().listRunnable({ owner: 'second', limit: 10 })).toEqual([]);
      expect(await store().acquireLease('session_1', { owner: 'second', leaseMs })).toBeNull();
    },
  );

  test('a removed session is held by nobody, and what it had queued is not in one opened under its id', async () => {
    const lease = await opened(store());
    expect(await store().removeSession('session_1')).toBe(true);
    await expect(store().commit(lease, { events: [delta('late')] })).rejects.toThrow(LeaseLostError);
    clock.now = start + 99_999;
    expect(await store().listRunnable({ owner: 'second', limit: 10 })).toEqual([]);
    await opened(store());
    expect(await store().listQueue('session_1')).toHaveLength(1);
  });

  test('finds open sessions without activity, of an agent or of those that are gone', async () => {
    const open = (agentId: string, sessionId: string, now: number) => {
      clock.now = now;
      return store().enqueue(enqueueRequest({ sessionId, open: { ...opening, agentId } }));
    };
    await open('agent_1', 'b', start + 1);
    await open('agent_2', 'a', start);
    await open('agent_1', 'c', start + 2);
    clock.now = start;
    const ended = await opened(store(), 'ended');
    await store().commit(ended, { events: [], status: 'reset' });

    const idle = (now: number, agentId: string | null, limit = 10) => {
      clock.now = now;
      return store().listIdle({ idleMs: 100, limit, agentId });
    };
    expect(await idle(start + 101, 'agent_1')).toEqual(['b']);
    expect(await idle(start + 102, 'agent_1')).toEqual(['b', 'c']);
    expect(await idle(start + 102, 'agent_1', 1)).toEqual(['b']);
    const behind = (agentId: string | null) => store().listIdle({ idleMs: 100, limit: 10, agentId, skip: 1 });
    expect(await behind('agent_1')).toEqual(['c']);
    expect(await behind(null)).toHaveLength(2);
    expect(await idle(start + 102, 'agent_3')).toEqual([]);
    const gone = async (now: number) => (await idle(now, null)).toSorted();
    expect(await gone(start + 101)).toEqual(['a', 'b']);
    expect(await gone(start + 102)).toEqual(['a', 'b', 'c']);
    expect(await idle(start + 102, null, 2)).toHaveLength(2);
    const over = (now: number, agentId: string | null) => {
      clock.now = now;
      return store().listEnded({ agentId, idleMs: 100, limit: 10 });
    };
    expect(await over(start + 100, 'agent_1')).toEqual(['ended']);
    expect(await over(start + 99, 'agent_1')).toEqual([]);
    expect(await over(start + 109, 'agent_2')).toEqual([]);
    expect(await over(start + 100, null)).toEqual(['ended']);
    await seed(store());
    expect(await gone(start + 102)).toEqual(['a']);
    expect(await over(start + 100, null)).toEqual([]);
  });

  test('asked for no idleness at all every open session is found, whatever the clock says', async () => {
    await opened(store());
    clock.now = start - 3_600_000;
    for (const agentId of ['agent_1', null]) {
      expect(await store().listIdle({ agentId, idleMs: 0, limit: 10 })).toEqual(['session_1']);
      expect(await store().listIdle({ agentId, idleMs: 1, limit: 10 })).toEqual([]);
    }
  });

  test('idleness of ten years is a time like any other', async () => {
    await opened(store());
    const idleMs = 3_650 * dayMs;
    clock.now = start + idleMs;
    expect(await store().listIdle({ agentId: 'agent_1', idleMs, limit: 10 })).toEqual(['session_1']);
    expect(await store().listEnded({ agentId: 'agent_1', idleMs, limit: 10 })).toEqual([]);
    expect(await store().listEnded({ agentId: null, idleMs, limit: 10 })).toEqual([]);
  });
}
