import { maxPageBytes } from '@parley/protocol/bounds';
import { expect, test } from 'vitest';
import type { IdempotencyKey, Store } from '../store.ts';
import { acceptance, delta, naming, opened, opening, start, uploaded } from './samples.ts';

const perKey = { scope: 'key', limit: 60, windowMs: 60_000 };

function idempotency(change: Partial<IdempotencyKey> = {}): IdempotencyKey {
  return {
    scope: 'scope',
    request: 'hash',
    answer: { sessionId: 'session_1' },
    expiresAt: start + 1000,
    ...change,
  };
}

export function testAccepting(store: () => Store): void {
  test('opens the session, queues the item and takes the lease', async () => {
    const accepted = await store().accept(acceptance());
    expect(accepted).toEqual({
      outcome: 'accepted',
      sessionId: 'session_1',
      nextIndex: 0,
      claim: { sessionId: 'session_1', epoch: 1 },
    });
    expect(await store().session('session_1')).toEqual({
      ...opening,
      id: 'session_1',
      status: 'open',
      nextIndex: 0,
      createdAt: start,
      activeAt: start,
    });
    expect(await store().queue('session_1')).toEqual([
      { id: 'item_1', position: 0, body: { text: 'hello' }, acceptedAt: start, acceptedIndex: 0 },
    ]);
  });

  test('queues for a session that somebody runs, first in first out, and says how long the log is', async () => {
    const claim = await opened(store());
    await store().commit(claim, { events: [delta('a'), delta('b')], consume: [0], now: start });
    for (const id of ['item_2', 'item_3', 'item_4']) {
      const later = acceptance({ item: { id, body: id }, now: start + 5 });
      expect(await store().accept(later)).toMatchObject({ outcome: 'accepted', nextIndex: 2, claim: null });
    }
    expect((await store().queue('session_1')).map(({ id }) => id)).toEqual(['item_2', 'item_3', 'item_4']);
    expect((await store().session('session_1'))?.activeAt).toBe(start + 5);
  });

  test('a queue is read as far as a page goes, its first item at least', async () => {
    const claim = await opened(store());
    const large = 'x'.repeat(maxPageBytes);
    for (const [id, body] of Object.entries({ small: '', large, last: '' }))
      await store().accept(acceptance({ item: { id, body } }));
    const ids = async () => (await store().queue('session_1')).map(({ id }) => id);
    expect(await ids()).toEqual(['item_1', 'small']);
    await store().commit(claim, { events: [], consume: [0, 1], now: start });
    expect(await ids()).toEqual(['large']);
  });

  test('a position is never used again', async () => {
    const claim = await opened(store());
    await store().commit(claim, { events: [], consume: [0], now: start });
    await store().accept(acceptance());
    expect((await store().queue('session_1')).map(({ position }) => position)).toEqual([1]);
  });

  test('a conversation is one session per agent and scope, whatever session was proposed', async () => {
    const conversation = { conversationScope: 'one', conversationId: 'chat-1' };
    const open = { ...opening, interface: 'chat', ...conversation } as const;
    await store().accept(acceptance({ open, sessionId: 'first' }));
    expect(await store().accept(acceptance({ open, sessionId: 'second' }))).toMatchObject({
      sessionId: 'first',
    });
    const other = { ...open, agentId: 'agent_2' };
    expect(await store().accept(acceptance({ open: other, sessionId: 'third' }))).toMatchObject({
      sessionId: 'third',
    });
    expect(await store().session('second')).toBeNull();
    const elsewhere = { ...open, conversationScope: 'two' };
    expect(await store().accept(acceptance({ open: elsewhere, sessionId: 'fourth' }))).toMatchObject({
      sessionId: 'fourth',
    });
    expect(await store().conversation('agent_1', 'one', 'chat-1')).toMatchObject({
      id: 'first',
      ...conversation,
    });
    expect((await store().conversation('agent_1', 'two', 'chat-1'))?.id).toBe('fourth');
    expect((await store().conversation('agent_2', 'one', 'chat-1'))?.id).toBe('third');
    expect(await store().conversation('agent_1', 'one', 'chat-2')).toBeNull();
    expect(await store().conversation('agent_1', 'three', 'chat-1')).toBeNull();
  });

  test('refuses a session that is absent, ended or has a full queue, and writes nothing', async () => {
    const { open: _, ...followUp } = acceptance();
    expect(await store().accept(followUp)).toEqual({ outcome: 'missing' });
    await opened(store());
    expect(await store().accept({ ...followUp, maxQueued: 1 })).toEqual({ outcome: 'full' });
    expect(await store().queue('session_1')).toHaveLength(1);
    for (const status of ['completed', 'failed', 'reset'] as const) {
      const sessionId = `session ${status}`;
      const ending = await opened(store(), sessionId);
      await store().commit(ending, { events: [], status, now: start });
      expect(await store().accept({ ...followUp, sessionId })).toEqual({ outcome: 'ended' });
      expect(await store().accept(acceptance({ sessionId }))).toEqual({ outcome: 'ended' });
      expect(await store().queue(sessionId)).toEqual([]);
    }
    expect(await store().queue('session_1')).toHaveLength(1);
  });

  test('of 200 parallel requests exactly 60 pass, and a refused one leaves nothing', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        store().accept(acceptance({ sessionId: `session_${n}`, admissions: [perKey] })),
      ),
    );
    const passed = outcomes.filter(({ outcome }) => outcome === 'accepted');
    expect(passed).toHaveLength(60);
    const refused = outcomes.find(({ outcome }) => outcome !== 'accepted');
    expect(refused).toEqual({ outcome: 'limited', scope: 'key', windowMs: 60_000, retryAfterMs: 60_000 });
    const sessions = await Promise.all(outcomes.map((_, n) => store().session(`session_${n}`)));
    expect(sessions.filter((session) => session !== null)).toHaveLength(60);
  });

  test('no 60 seconds hold more than 60 admissions, however the requests are placed', async () => {
    const admitted: number[] = [];
    async function attempt(now: number): Promise<number> {
      const sessionId = `session_${now}_${admitted.length}`;
      const accepted = await store().accept(acceptance({ sessionId, admissions: [perKey], now }));
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

  test('a refused request costs nothing in any scope, and the longest wait is named', async () => {
    const wide = { scope: 'visitor', limit: 3, windowMs: 1000 };
    const narrow = { scope: 'address', limit: 1, windowMs: 5000 };
    const both = acceptance({ admissions: [wide, narrow] });
    expect(await store().accept(both)).toMatchObject({ outcome: 'accepted' });
    for (let n = 0; n < 5; n++) {
      expect(await store().accept({ ...both, now: start + 100 })).toEqual({
        outcome: 'limited',
        scope: 'address',
        windowMs: 5000,
        retryAfterMs: 4900,
      });
    }
    for (let n = 0; n < 2; n++) {
      expect(await store().accept(acceptance({ admissions: [wide] }))).toMatchObject({ outcome: 'accepted' });
    }
    expect(await store().accept(acceptance({ admissions: [wide] }))).toMatchObject({ outcome: 'limited' });
    expect(await store().accept(acceptance({ admissions: [{ ...wide, limit: 0 }] }))).toMatchObject({
      outcome: 'limited',
    });
  });

  test('a clock that is set back locks nobody out for longer than the window', async () => {
    const one = { scope: 'key', limit: 1, windowMs: 1000 };
    await store().accept(acceptance({ admissions: [one], now: start }));
    const back = acceptance({ admissions: [one], now: start - 3_600_000 });
    expect(await store().accept(back)).toMatchObject({ outcome: 'limited', retryAfterMs: 1000 });
    expect(await store().accept({ ...back, now: back.now + 1001 })).toMatchObject({ outcome: 'accepted' });
  });

  test('a quota admits its limit in a window, and what a commit spends counts', async () => {
    const quota = { scope: 'tokens', limit: 10, windowMs: 60_000, amount: 0 };
    const claim = await opened(store());
    const { limit: _limit, ...spent } = { ...quota, amount: 10 };
    expect(await store().accept(acceptance({ quotas: [quota] }))).toMatchObject({ outcome: 'accepted' });
    await store().commit(claim, { events: [], spend: [spent], now: start });
    const sessions = { scope: 'sessions', limit: 1, windowMs: 60_000, amount: 1 };
    const refused = acceptance({ quotas: [quota, sessions], now: start + 1000 });
    expect(await store().accept(refused)).toEqual({
      outcome: 'limited',
      scope: 'tokens',
      windowMs: 60_000,
      retryAfterMs: 59_000,
    });
    const next = { ...refused, now: start + 60_000 };
    expect(await store().accept(next)).toMatchObject({ outcome: 'accepted' });
    expect(await store().accept(next)).toMatchObject({ outcome: 'limited', scope: 'sessions' });
  });

  test('the same request again is answered as before and never queued again; another body is a conflict', async () => {
    const first = acceptance({ idempotency: idempotency(), admissions: [{ ...perKey, limit: 1 }] });
    expect(await store().accept(first)).toMatchObject({ outcome: 'accepted' });
    const again = { ...first, maxQueued: 0, item: { id: 'item_2', body: 'again' } };
    expect(await store().accept(again)).toEqual({ outcome: 'repeated', answer: { sessionId: 'session_1' } });
    expect(await store().accept({ ...again, idempotency: idempotency({ request: 'other' }) })).toEqual({
      outcome: 'conflict',
    });
    expect(await store().queue('session_1')).toHaveLength(1);
  });

  test('parallel requests of one idempotency key are accepted once', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => store().accept(acceptance({ idempotency: idempotency() }))),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(19);
  });

  test('a refused request is not remembered; a remembered one is until it expires or is forgotten', async () => {
    const request = acceptance({ idempotency: idempotency() });
    expect(await store().accept({ ...request, maxQueued: 0 })).toEqual({ outcome: 'full' });
    expect(await store().accept(request)).toMatchObject({ outcome: 'accepted' });
    expect(await store().accept({ ...request, now: start + 999 })).toMatchObject({ outcome: 'repeated' });
    const renewed = { ...request, now: start + 1000, idempotency: idempotency({ expiresAt: start + 9000 }) };
    expect(await store().accept(renewed)).toMatchObject({ outcome: 'accepted' });
    expect(await store().accept(renewed)).toMatchObject({ outcome: 'repeated' });
    await store().forgetIdempotency('scope');
    expect(await store().accept(renewed)).toMatchObject({ outcome: 'accepted' });
  });

  test('an acceptance that is refused for its files is not stored at all, and hurts no other', async () => {
    await uploaded(store());
    const [refused, accepted] = await Promise.all([
      store().accept(acceptance({ files: naming('file_1', 'file_2'), idempotency: idempotency() })),
      store().accept(acceptance({ sessionId: 'session_2' })),
    ]);
    expect(refused).toEqual({ outcome: 'file-missing' });
    expect(accepted).toMatchObject({ outcome: 'accepted' });
    expect(await store().session('session_1')).toBeNull();
    expect(await store().files.get('file_1', start)).toMatchObject({ sessionId: null });
  });
}
