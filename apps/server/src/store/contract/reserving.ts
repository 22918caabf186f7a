import { expect, test } from 'vitest';
import type { Quota } from '../limit-store.ts';
import type { EnqueueResult } from '../queue-store.ts';
import type { Store } from '../store.ts';
import { enqueueRequest, leaseMs, opened, type TestClock } from './samples.ts';

const meter = { scope: 'tokens', windowMs: 60_000 };
const reservation: Quota = { ...meter, limit: 100, amount: 40 };
const other = 'session_other';
const nothing = { events: [] };

export function testReserving(store: () => Store, clock: TestClock): void {
  /** The counter, as a session that holds nothing of it sees it. */
  const counted = () => store().readQuota(other, meter);
  const item = (n: number) => ({ id: `item_${n}`, body: null });

  async function accepted(change: Parameters<typeof enqueueRequest>[0] = {}) {
    const outcome = await store().enqueue(enqueueRequest({ reservation, ...change }));
    if (outcome.outcome !== 'accepted' || outcome.leased === null) throw new Error(outcome.outcome);
    return outcome.leased.lease;
  }

  test('of many that reserve at once, those are accepted that begin below the limit', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        store().enqueue(
          enqueueRequest({ sessionId: `session_${n}`, reservation: { ...reservation, limit: 1 } }),
        ),
      ),
    );
    expect(tally(outcomes)).toEqual({ accepted: 1, limited: 39 });
    expect(await counted()).toBe(40);
  });

  test('of many that count at once, as many are accepted as there is room for, and a rejection counts nowhere', async () => {
    const one = { scope: 'narrow', windowMs: 60_000, limit: 3, amount: 1 };
    const wide = { scope: 'wide', windowMs: 60_000, limit: 1000, amount: 1 };
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        store().enqueue(enqueueRequest({ sessionId: `session_${n}`, quotas: [wide, one], reservation })),
      ),
    );
    expect(tally(outcomes)).toEqual({ accepted: 3, limited: 37 });
    expect(await store().readQuota(other, wide)).toBe(3);
    expect(await counted()).toBe(120);
  });

  test('what a turn spends counts beside what its session holds, until the lease is let go', async () => {
    const lease = await accepted();
    const spend = [{ ...meter, amount: 7 }];
    expect(await store().commit(lease, { ...nothing, consume: [0], meter })).toMatchObject({ used: 0 });
    expect(await store().commit(lease, { ...nothing, spend, meter })).toMatchObject({ used: 7 });
    expect(await store().readQuota('session_1', meter)).toBe(7);
    expect(await counted()).toBe(47);
    expect(await store().commit(lease, { ...nothing, release: true, meter })).toMatchObject({
      released: true,
      used: 7,
    });
    expect(await counted()).toBe(7);
  });

  test('what waits in the queue goes on holding its own when the one before it is done', async () => {
    const lease = await accepted();
    await store().enqueue(enqueueRequest({ item: item(2), reservation: { ...reservation, amount: 5 } }));
    expect(await counted()).toBe(45);
    expect(await store().commit(lease, { ...nothing, consume: [0], release: true })).toMatchObject({
      released: false,
    });
    expect(await counted()).toBe(5);
    await store().commit(lease, { ...nothing, consume: [1] });
    expect(await counted()).toBe(5);
    expect(await store().releaseLease(lease)).toBe(true);
    expect(await counted()).toBe(0);
  });

  test('a session that ends or is removed holds nothing', async () => {
    const lease = await accepted();
    await store().commit(lease, { ...nothing, status: 'completed' });
    expect(await counted()).toBe(0);

    const unheld = { sessionId: 'session_2', lease: null };
    await store().enqueue(enqueueRequest({ reservation, ...unheld }));
    expect(await counted()).toBe(40);
    expect(await store().endSession('session_2', { events: [], status: 'reset' })).toBe(0);
    expect(await counted()).toBe(0);

    await accepted({ sessionId: 'session_3' });
    expect(await store().removeSession('session_3')).toBe(true);
    expect(await counted()).toBe(0);
  });

  test('a window that is over takes its reservations along', async () => {
    const lease = await accepted();
    clock.now += meter.windowMs;
    expect(await counted()).toBe(0);
    await store().enqueue(enqueueRequest({ item: item(2), reservation: { ...reservation, amount: 3 } }));
    expect(await counted()).toBe(3);
    await store().commit(lease, { events: [], consume: [0], release: true });
    expect(await counted()).toBe(3);
    await store().commit(lease, { events: [], consume: [1], release: true });
    expect(await counted()).toBe(0);
  });

  test('a reservation outlives the runner that was cut off, and ends with the next', async () => {
    const cut = await accepted();
    await store().commit(cut, { ...nothing, consume: [0] });
    clock.now += leaseMs;
    expect(await counted()).toBe(40);
    const next = await store().acquireLease('session_1', { owner: 'next', leaseMs: 1 });
    await store().commit(next!, { ...nothing, spend: [{ ...meter, amount: 9 }], release: true });
    expect(await counted()).toBe(9);
  });

  test('a commit without a meter names no counter', async () => {
    const lease = await opened(store());
    expect(await store().commit(lease, nothing)).toEqual({ firstIndex: 0, released: false });
  });
}

function tally(outcomes: readonly EnqueueResult[]): Record<string, number> {
  const count: Record<string, number> = {};
  for (const { outcome } of outcomes) count[outcome] = (count[outcome] ?? 0) + 1;
  return count;
}
