import { maxPageBytes } from '@parley/protocol/bounds';
import { expect, test } from 'vitest';
import type { IdempotencyKey } from '../idempotency-store.ts';
import type { Store } from '../store.ts';
import {
  enqueueRequest,
  delta,
  naming,
  opened,
  opening,
  leaseMs,
  start,
  uploaded,
  type TestClock,
} from './samples.ts';

const perKey = { scope: 'key', limit: 60, windowMs: 60_000 };

function idempotency(change: Partial<IdempotencyKey> = {}): IdempotencyKey {
  return {
    scope: 'scope',
    request: 'hash',
    result: { sessionId: 'session_1' },
    ttlMs: 1000,
    ...change,
  };
}

export function testEnqueueing(store: () => Store, clock: TestClock): void {
  test('opens the session, queues the item and takes the lease', async () => {
    const accepted = await store().enqueue(enqueueRequest());
    expect(accepted).toEqual({
      outcome: 'accepted',
      sessionId: 'session_1',
      nextIndex: 0,
      leased: {
        lease: { sessionId: 'session_1', epoch: 1 },
        session: expect.anything(),
        item: expect.anything(),
        commands: [],
      },
    });
    expect(await store().getSession('session_1')).toEqual({
      ...opening,
      id: 'session_1',
      status: 'open',
      nextIndex: 0,
      createdAt: start,
      activeAt: start,
    });
    expect(await store().listQueue('session_1')).toEqual([
      { id: 'item_1', position: 0, body: { text: 'hello' }, acceptedAt: start, acceptedIndex: 0 },
    ]);
  });

  test('whoever gets the lease is told of it before the acceptance is, and nobody else is', async () => {
    const told: unknown[] = [];
    const enqueue = async (change: Parameters<typeof enqueueRequest>[0]) => {
      const onLeased = (leased: unknown) => void told.push(leased);
      const asked = store().enqueue(enqueueRequest({ ...change, onLeased }));
      expect(told).toEqual([]);
      const accepted = await asked.finally(() => told.push('settled'));
      return [accepted, told.splice(0)] as const;
    };
    const [first, toldOfFirst] = await enqueue({});
    expect(toldOfFirst).toEqual([first.outcome === 'accepted' && first.leased, 'settled']);
    expect(await enqueue({ item: { id: 'item_2', body: null } })).toMatchObject([
      { outcome: 'accepted', leased: null },
      ['settled'],
    ]);
    expect(await enqueue({ maxQueued: 2 })).toEqual([{ outcome: 'full' }, ['settled']]);
    expect(await enqueue({ sessionId: 'session_2', lease: null })).toMatchObject([
      { outcome: 'accepted', leased: null },
      ['settled'],
    ]);
  });

  test('whoever runs no turns queues without a lease, and whoever takes the session finds it all', async () => {
    const owner = { owner: 'runner', leaseMs };
    const opens = await store().enqueue(enqueueRequest({ lease: null }));
    expect(opens).toEqual({ outcome: 'accepted', sessionId: 'session_1', nextIndex: 0, leased: null });
    const follows = await store().enqueue(
      enqueueRequest({ lease: null, item: { id: 'item_2', body: null } }),
    );
    expect(follows).toMatchObject({ outcome: 'accepted', leased: null });
    expect(await store().listRunnable({ owner: 'runner', limit: 9 })).toEqual(['session_1']);
    const lease = await store().acquireLease('session_1', owner);
    expect(lease).toEqual({ sessionId: 'session_1', epoch: 1 });
    expect((await store().listQueue('session_1')).map(({ id }) => id)).toEqual(['item_1', 'item_2']);

    // Neither a lease that runs nor one that ran out is touched.
    await store().enqueue(enqueueRequest({ lease: null, item: { id: 'item_3', body: null } }));
    clock.now += leaseMs;
    await store().enqueue(enqueueRequest({ lease: null, item: { id: 'item_4', body: null } }));
    await store().commit(lease!, { events: [delta('still held')] });
  });

  test('queues for a session that somebody runs, first in first out, and says how long the log is', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [delta('a'), delta('b')], consume: [0] });
    clock.now = start + 5;
    for (const id of ['item_2', 'item_3', 'item_4']) {
      const later = enqueueRequest({ item: { id, body: id } });
      expect(await store().enqueue(later)).toMatchObject({ outcome: 'accepted', nextIndex: 2, leased: null });
    }
    expect((await store().listQueue('session_1')).map(({ id }) => id)).toEqual([
      'item_2',
      'item_3',
      'item_4',
    ]);
    expect((await store().getSession('session_1'))?.activeAt).toBe(start + 5);
  });

  test('a queue is read as far as a page goes, its first item at least', async () => {
    const lease = await opened(store());
    const large = 'x'.repeat(maxPageBytes);
    for (const [id, body] of Object.entries({ small: '', large, last: '' }))
      await store().enqueue(enqueueRequest({ item: { id, body } }));
    const ids = async () => (await store().listQueue('session_1')).map(({ id }) => id);
    expect(await ids()).toEqual(['item_1', 'small']);
    await store().commit(lease, { events: [], consume: [0, 1] });
    expect(await ids()).toEqual(['large']);
  });

  test('what waits is known behind any page, and the next item is the first of the kinds that go before others', async () => {
    const lease = await opened(store());
    const kinds = ['take-over', 'whisper'];
    const next = async () => (await store().nextItem('session_1', kinds))?.id;
    const large = { text: `{"kind":"take-over"} \0 ${'x'.repeat(maxPageBytes)}`, kind: 'whisper' };
    const told = { kind: 'whisper', text: 'ä \0' };
    await store().enqueue(enqueueRequest({ item: { id: 'large', body: large } }));
    expect(await next()).toBe('item_1');
    await store().enqueue(enqueueRequest({ item: { id: 'told', body: told } }));
    await store().enqueue(enqueueRequest({ item: { id: 'again', body: told } }));
    expect(await next()).toBe('told');
    await store().enqueue(enqueueRequest({ item: { id: 'other', body: { kind: 'take-overs' } } }));
    await store().enqueue(enqueueRequest({ item: { id: 'taken', body: { kind: 'take-over' } } }));
    expect(await store().nextItem('session_1', kinds)).toEqual({
      id: 'taken',
      position: 5,
      body: { kind: 'take-over' },
      acceptedAt: start,
      acceptedIndex: 0,
    });
    expect(await store().nextItem('session_1', [])).toMatchObject({ id: 'item_1' });
    const isQueued = (id: string) => store().isQueued('session_1', id);
    expect(await Promise.all(['taken', 'absent'].map(isQueued))).toEqual([true, false]);
    expect(await store().isQueued('absent', 'taken')).toBe(false);
    await store().commit(lease, { events: [], consume: [5] });
    expect([await isQueued('taken'), await next()]).toEqual([false, 'told']);
    await store().commit(lease, { events: [], consume: [0, 1, 2, 3, 4] });
    expect(await next()).toBeUndefined();
  });

  test('items of a kind are read behind any page of others, in order and as far as a page goes', async () => {
    await opened(store());
    const large = { text: `{"kind":"whisper"} ${'x'.repeat(maxPageBytes)}`, kind: 'whisper' };
    const bodies = {
      large,
      first: { kind: 'whisper', text: 'ä \0' },
      other: { kind: 'whispers' },
      second: { kind: 'whisper', text: 'b' },
      long: { kind: 'whisper', text: 'x'.repeat(maxPageBytes) },
      behind: { kind: 'whisper', text: 'c' },
    };
    for (const [id, body] of Object.entries(bodies))
      await store().enqueue(enqueueRequest({ item: { id, body } }));
    expect(await store().listQueue('session_1', 'whisper')).toMatchObject([
      { id: 'first', position: 2, body: bodies.first },
      { id: 'second', position: 4, body: bodies.second },
    ]);
    expect(await store().listQueue('session_1', 'take-over')).toEqual([]);
    expect(await store().listQueue('absent', 'whisper')).toEqual([]);
  });

  test('a position is never used again', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [], consume: [0] });
    await store().enqueue(enqueueRequest());
    expect((await store().listQueue('session_1')).map(({ position }) => position)).toEqual([1]);
  });

  test('a conversation is one session per agent and scope, whatever session was proposed', async () => {
    const conversation = { conversationScope: 'one', conversationId: 'chat-1' };
    const open = { ...opening, interface: 'chat', ...conversation } as const;
    await store().enqueue(enqueueRequest({ open, sessionId: 'first' }));
    expect(await store().enqueue(enqueueRequest({ open, sessionId: 'second' }))).toMatchObject({
      sessionId: 'first',
    });
    const other = { ...open, agentId: 'agent_2' };
    expect(await store().enqueue(enqueueRequest({ open: other, sessionId: 'third' }))).toMatchObject({
      sessionId: 'third',
    });
    expect(await store().getSession('second')).toBeNull();
    const elsewhere = { ...open, conversationScope: 'two' };
    expect(await store().enqueue(enqueueRequest({ open: elsewhere, sessionId: 'fourth' }))).toMatchObject({
      sessionId: 'fourth',
    });
    expect(await store().findConversation('agent_1', 'one', 'chat-1')).toMatchObject({
      id: 'first',
      ...conversation,
    });
    expect((await store().findConversation('agent_1', 'two', 'chat-1'))?.id).toBe('fourth');
    expect((await store().findConversation('agent_2', 'one', 'chat-1'))?.id).toBe('third');
    expect(await store().findConversation('agent_1', 'one', 'chat-2')).toBeNull();
    expect(await store().findConversation('agent_1', 'three', 'chat-1')).toBeNull();
  });

  test('rejects a session that is absent, ended or has a full queue, and writes nothing', async () => {
    const { open: _, ...followUp } = enqueueRequest();
    expect(await store().enqueue(followUp)).toEqual({ outcome: 'missing' });
    await opened(store());
    expect(await store().enqueue({ ...followUp, maxQueued: 1 })).toEqual({ outcome: 'full' });
    expect(await store().listQueue('session_1')).toHaveLength(1);
    for (const status of ['completed', 'failed', 'reset'] as const) {
      const sessionId = `session ${status}`;
      const ending = await opened(store(), sessionId);
      await store().commit(ending, { events: [], status });
      expect(await store().enqueue({ ...followUp, sessionId })).toEqual({ outcome: 'ended' });
      expect(await store().enqueue(enqueueRequest({ sessionId }))).toEqual({ outcome: 'ended' });
      expect(await store().listQueue(sessionId)).toEqual([]);
    }
    expect(await store().listQueue('session_1')).toHaveLength(1);
  });

  test('of 200 parallel requests exactly 60 pass, and a rejected one leaves nothing', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        store().enqueue(enqueueRequest({ sessionId: `session_${n}`, rateLimits: [perKey] })),
      ),
    );
    const passed = outcomes.filter(({ outcome }) => outcome === 'accepted');
    expect(passed).toHaveLength(60);
    const rejected = outcomes.find(({ outcome }) => outcome !== 'accepted');
    expect(rejected).toEqual({ outcome: 'limited', scope: 'key', windowMs: 60_000, retryAfterMs: 60_000 });
    const sessions = await Promise.all(outcomes.map((_, n) => store().getSession(`session_${n}`)));
    expect(sessions.filter((session) => session !== null)).toHaveLength(60);
  });

  test('no 60 seconds hold more than 60 admissions, however the requests are placed', async () => {
    const admitted: number[] = [];
    async function attempt(now: number): Promise<number> {
      clock.now = now;
      const sessionId = `session_${now}_${admitted.length}`;
      const accepted = await store().enqueue(enqueueRequest({ sessionId, rateLimits: [perKey] }));
      if (accepted.outcome === 'accepted') admitted.push(now);
      return accepted.outcome === 'limited' ? accepted.retryAfterMs : 0;
    }
    for (const burst of [0, 59_999, 60_000, 60_001, 119_999, 120_000]) {
      for (let n = 0; n < 40; n++) await attempt(start + burst);
    }
    for (const from of admitted) {
      expect(admitted.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(60);
    }
    const wait = await attempt(start + 120_000);
    expect(wait).toBeGreaterThan(0);
    expect(await attempt(start + 120_000 + wait - 1)).toBe(1);
    expect(await attempt(start + 120_000 + wait)).toBe(0);
  });

  test('a rejected request costs nothing in any scope, and the longest wait is named', async () => {
    const wide = { scope: 'visitor', limit: 3, windowMs: 1000 };
    const narrow = { scope: 'address', limit: 1, windowMs: 5000 };
    const both = enqueueRequest({ rateLimits: [wide, narrow] });
    expect(await store().enqueue(both)).toMatchObject({ outcome: 'accepted' });
    clock.now = start + 100;
    for (let n = 0; n < 5; n++) {
      expect(await store().enqueue(both)).toEqual({
        outcome: 'limited',
        scope: 'address',
        windowMs: 5000,
        retryAfterMs: 4900,
      });
    }
    for (let n = 0; n < 2; n++) {
      expect(await store().enqueue(enqueueRequest({ rateLimits: [wide] }))).toMatchObject({
        outcome: 'accepted',
      });
    }
    expect(await store().enqueue(enqueueRequest({ rateLimits: [wide] }))).toMatchObject({
      outcome: 'limited',
    });
    expect(await store().enqueue(enqueueRequest({ rateLimits: [{ ...wide, limit: 0 }] }))).toMatchObject({
      outcome: 'limited',
    });
  });

  test('a clock that is set back locks nobody out for longer than the window', async () => {
    const one = { scope: 'key', limit: 1, windowMs: 1000 };
    const back = enqueueRequest({ rateLimits: [one] });
    await store().enqueue(back);
    clock.now = start - 3_600_000;
    expect(await store().enqueue(back)).toMatchObject({ outcome: 'limited', retryAfterMs: 1000 });
    clock.now += 1001;
    expect(await store().enqueue(back)).toMatchObject({ outcome: 'accepted' });
  });

  test('a quota admits its limit in a window, and what a commit spends counts', async () => {
    const quota = { scope: 'tokens', limit: 10, windowMs: 60_000, amount: 0 };
    const lease = await opened(store());
    const { limit: _limit, ...spent } = { ...quota, amount: 10 };
    expect(await store().enqueue(enqueueRequest({ quotas: [quota] }))).toMatchObject({ outcome: 'accepted' });
    await store().commit(lease, { events: [], spend: [spent] });
    const sessions = { scope: 'sessions', limit: 1, windowMs: 60_000, amount: 1 };
    clock.now = start + 1000;
    const rejected = enqueueRequest({ quotas: [quota, sessions] });
    expect(await store().enqueue(rejected)).toEqual({
      outcome: 'limited',
      scope: 'tokens',
      windowMs: 60_000,
      retryAfterMs: 59_000,
    });
    clock.now = start + 60_000;
    expect(await store().enqueue(rejected)).toMatchObject({ outcome: 'accepted' });
    expect(await store().enqueue(rejected)).toMatchObject({ outcome: 'limited', scope: 'sessions' });
  });

  test('the same request again is answered as before and never queued again; another body is a conflict', async () => {
    const first = enqueueRequest({ idempotency: idempotency(), rateLimits: [{ ...perKey, limit: 1 }] });
    expect(await store().enqueue(first)).toMatchObject({ outcome: 'accepted' });
    const again = { ...first, maxQueued: 0, item: { id: 'item_2', body: 'again' } };
    expect(await store().enqueue(again)).toEqual({ outcome: 'repeated', result: { sessionId: 'session_1' } });
    expect(await store().enqueue({ ...again, idempotency: idempotency({ request: 'other' }) })).toEqual({
      outcome: 'conflict',
    });
    expect(await store().listQueue('session_1')).toHaveLength(1);
  });

  test('parallel requests of one idempotency key are accepted once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => store().enqueue(enqueueRequest({ idempotency: idempotency() }))),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(19);
  });

  test('a rejected request is not remembered; a remembered one is until it expires or is forgotten', async () => {
    const request = enqueueRequest({ idempotency: idempotency() });
    expect(await store().enqueue({ ...request, maxQueued: 0 })).toEqual({ outcome: 'full' });
    expect(await store().enqueue(request)).toMatchObject({ outcome: 'accepted' });
    clock.now = start + 999;
    expect(await store().enqueue(request)).toMatchObject({ outcome: 'repeated' });
    clock.now = start + 1000;
    expect(await store().enqueue(request)).toMatchObject({ outcome: 'accepted' });
    expect(await store().enqueue(request)).toMatchObject({ outcome: 'repeated' });
    const { result } = request.idempotency!;
    await store().deleteIdempotencyKey('scope', { itemId: 'of another acceptance' });
    expect(await store().enqueue(request)).toMatchObject({ outcome: 'repeated', result });
    await store().deleteIdempotencyKey('scope', result);
    expect(await store().enqueue(request)).toMatchObject({ outcome: 'accepted' });
  });

  test('an acceptance that is rejected for its files is not stored at all, and hurts no other', async () => {
    await uploaded(store());
    const [rejected, accepted] = await Promise.all([
      store().enqueue(enqueueRequest({ files: naming('file_1', 'file_2'), idempotency: idempotency() })),
      store().enqueue(enqueueRequest({ sessionId: 'session_2' })),
    ]);
    expect(rejected).toEqual({ outcome: 'file-missing' });
    expect(accepted).toMatchObject({ outcome: 'accepted' });
    expect(await store().getSession('session_1')).toBeNull();
    expect(await store().files.get('file_1')).toMatchObject({ sessionId: null });
  });
}
