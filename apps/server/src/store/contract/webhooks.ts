import { expect, test } from 'vitest';
import { dayMs } from '../day-ms.ts';
import type { Store } from '../store.ts';
import type { DeliveryStatus, Lane, LaneAfterwards, NewDelivery } from '../webhook-store.ts';
import { delta, opened, sessionCompleted, start, type TestClock } from './samples.ts';
import { seed } from './settings.ts';

const leaseMs = 1_000;
const nobody: readonly string[] = [];
const all = { leaseMs, limit: 9, except: { webhooks: nobody, tenants: nobody } };
const exceptFirst = { except: { webhooks: ['webhook_1'], tenants: nobody } };
const attempt = { attemptedAt: start, httpStatus: 200, durationMs: 5, response: 'ok', problem: null };

const delivery = (id: string, webhookId = 'webhook_1'): NewDelivery => ({
  id,
  webhookId,
  eventId: `event of ${id}`,
  type: 'message',
  body: JSON.stringify({ text: `body of ${id}` }),
});

export function testWebhooks(store: () => Store, clock: TestClock): void {
  const claim = async (change: Partial<typeof all> = {}) => store().claimLanes({ ...all, ...change });
  const claimOne = async (): Promise<Lane> => {
    const [lane, ...others] = await claim();
    expect(others).toEqual([]);
    if (lane === undefined) throw new Error('Nothing is due.');
    return lane;
  };
  const listed = async (webhookId = 'webhook_1') =>
    (await store().listDeliveries({ webhookId, status: null, after: null, limit: 9 })).items;
  const settle = (
    lane: Lane,
    id: string,
    status: DeliveryStatus,
    then: LaneAfterwards = { heldForMs: leaseMs },
  ) => store().settleDelivery(lane, id, { ...attempt, status, attempts: 1 }, then);

  test('deliveries are there with what they tell of, or not at all, and once for each webhook', async () => {
    const lease = await opened(store());
    const deliveries = [delivery('a'), delivery('b'), delivery('c', 'webhook_2')];
    await store().commit(lease, { events: [delta('hello')], deliveries });
    const late = { ...lease, epoch: lease.epoch - 1 };
    await expect(store().commit(late, { events: [], deliveries: [delivery('late')] })).rejects.toThrow();
    const consume = (await store().listQueue('session_1')).map(({ position }) => position);
    await store().commit(lease, { events: [], consume, release: true });
    const ending = { events: [sessionCompleted], status: 'completed' as const };
    expect(await store().endSession('session_1', { ...ending, deliveries: [delivery('end')] })).toBe(1);
    expect(await store().endSession('session_1', { ...ending, deliveries: [delivery('again')] })).toBeNull();
    const up = { turnId: 'turn_0', rating: 'up', comment: null, at: start } as const;
    await store().saveFeedback('session_1', up, [delivery('rating')]);
    expect(await store().saveFeedback('session_0', up, [delivery('of nobody')])).toBe(false);

    expect((await listed()).map(({ id }) => id)).toEqual(['rating', 'end', 'b', 'a']);
    const { body: _body, ...listedC } = delivery('c', 'webhook_2');
    expect(await listed('webhook_2')).toEqual([
      {
        ...listedC,
        status: 'waiting',
        attempts: 0,
        createdAt: start,
        attemptedAt: null,
        httpStatus: null,
        durationMs: null,
        response: null,
        problem: null,
      },
    ]);
    const lanes = await claim();
    expect(lanes.map(({ webhookId, lane }) => `${webhookId} ${lane}`).toSorted()).toEqual([
      'webhook_1 session_1',
      'webhook_2 session_1',
    ]);
  });

  test('a lane is one process’s until its time is over, and its deliveries come in order', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [], deliveries: [delivery('a'), delivery('b')] });
    const claimed = await Promise.all(Array.from({ length: 6 }, () => claim()));
    const [first, ...others] = claimed.flat();
    expect(others).toEqual([]);
    if (first === undefined) throw new Error('Nobody has it.');
    expect((await store().nextDelivery(first))?.id).toBe('a');
    expect(await claim(exceptFirst)).toEqual([]);

    clock.now += leaseMs;
    expect(await claim(exceptFirst)).toEqual([]);
    const second = await claimOne();
    expect(await settle(first, 'a', 'failed')).toBe(false);
    expect(await store().finishLane(first)).toBe(false);
    expect((await store().nextDelivery(second))?.id).toBe('a');
    expect(await settle(second, 'a', 'waiting', { dueInMs: 60_000 })).toBe(true);
    expect((await store().nextDelivery(second))?.id).toBe('a');

    clock.now += 59_999;
    expect(await claim()).toEqual([]);
    clock.now += 1;
    const third = await claimOne();
    expect(await settle(third, 'a', 'delivered')).toBe(true);
    expect((await store().nextDelivery(third))?.id).toBe('b');
    expect(await settle(third, 'b', 'delivered')).toBe(true);
    expect(await store().nextDelivery(third)).toBeNull();
    // What is added between that look and the end of the lane is not forgotten.
    await store().commit(lease, { events: [], deliveries: [delivery('c')] });
    expect(await store().finishLane(third)).toBe(false);
    await store().releaseLane(third, 0);
    const fourth = await claimOne();
    expect((await store().nextDelivery(fourth))?.id).toBe('c');
    await settle(fourth, 'c', 'delivered');
    expect(await store().finishLane(fourth)).toBe(true);
    clock.now += leaseMs;
    expect(await claim()).toEqual([]);
  });

  test('each webhook is given one lane at once, and those that fail come after those that work', async () => {
    await seed(store());
    const state = { failingSince: '2026-01-01T00:00:00.000Z', problem: 'No.' };
    await store().settings.webhooks.update('webhook_1', { state });
    for (const sessionId of ['session_1', 'session_2', 'session_3']) {
      const lease = await opened(store(), sessionId);
      const deliveries = [delivery(`dead ${sessionId}`)];
      await store().commit(lease, { events: [], deliveries });
    }
    clock.now += 1;
    const last = await opened(store(), 'session_4');
    await store().commit(last, { events: [], deliveries: [delivery('a', 'webhook_2')] });
    const given = async (limit: number) => (await claim({ limit })).map(({ webhookId }) => webhookId);
    expect(await given(1)).toEqual(['webhook_2']);
    expect(await given(9)).toEqual(['webhook_1']);
    expect(await claim(exceptFirst)).toEqual([]);
    expect([await given(9), await given(9), await given(9)]).toEqual([['webhook_1'], ['webhook_1'], []]);

    expect(await store().eraseDeliveries('webhook_1', 2)).toBe(2);
    clock.now += leaseMs;
    expect((await given(9)).toSorted()).toEqual(['webhook_1', 'webhook_2']);
    expect([await given(9), await store().eraseDeliveries('webhook_1', 2)]).toEqual([[], 1]);
    expect(await listed()).toEqual([]);
  });

  test('of a tenant one lane is given at once, and none where it is excepted; what a webhook leaves is found', async () => {
    await seed(store());
    const { webhooks } = store().settings;
    const webhook = await webhooks.get('webhook_1');
    if (webhook === null) throw new Error('It is not there.');
    await webhooks.insert({ ...webhook, id: 'webhook_2' });
    const lease = await opened(store());
    const deliveries = ['webhook_1', 'webhook_2', 'webhook_3'].map((id) => delivery(`of ${id}`, id));
    await store().commit(lease, { events: [], deliveries });
    const tenants = { except: { webhooks: nobody, tenants: ['tenant_1'] } };
    expect(await claim(tenants)).toMatchObject([{ webhookId: 'webhook_3', tenantId: null }]);
    expect(await claim({ limit: 9 })).toMatchObject([{ webhookId: 'webhook_1', tenantId: 'tenant_1' }]);
    expect(await claim(exceptFirst)).toMatchObject([{ webhookId: 'webhook_2', tenantId: 'tenant_1' }]);

    await webhooks.remove('webhook_1');
    expect(await store().listRemovedWebhooks(9)).toEqual(['webhook_1', 'webhook_3']);
    expect(await store().listRemovedWebhooks(1)).toEqual(['webhook_1']);
    await store().eraseDeliveries('webhook_1', 9);
    expect(await store().listRemovedWebhooks(9)).toEqual(['webhook_3']);
  });

  test('what ratings and commits of one session tell at once is all told', async () => {
    const lease = await opened(store());
    const told = (name: string) =>
      ['c', 'a', 'd', 'b'].map((each) => delivery(`${name} of ${each}`, `webhook_${each}`));
    const rounds = Array.from({ length: 12 }, (_, round) => round);
    await Promise.all(
      rounds.flatMap((round) => [
        store().commit(lease, { events: [], deliveries: told(`commit ${round}`) }),
        store().saveFeedback(
          'session_1',
          { turnId: `turn_${round}`, rating: 'up', comment: null, at: start },
          told(`rating ${round}`),
        ),
      ]),
    );
    const { items } = await store().listDeliveries({
      webhookId: 'webhook_a',
      status: null,
      after: null,
      limit: 99,
    });
    expect(items).toHaveLength(24);
  });

  test('what waits for its next attempt is made at once where somebody asks for it, or for what stands behind it', async () => {
    const lease = await opened(store());
    const deliveries = ['a', 'b', 'c'].map((id) => delivery(id));
    await store().commit(lease, { events: [], deliveries });
    const pause = async (id: string, status: DeliveryStatus) =>
      expect(await settle(await claimOne(), id, status, { dueInMs: dayMs })).toBe(true);
    await pause('a', 'delivered');
    expect(await claim()).toEqual([]);
    expect(await store().replayDeliveries('webhook_2', ['b'])).toBe(0);
    expect(await claim()).toEqual([]);
    expect(await store().replayDeliveries('webhook_1', ['b'])).toBe(0);
    await pause('b', 'waiting');
    expect(await store().replayDeliveries('webhook_1', ['a'])).toBe(1);
    expect((await store().nextDelivery(await claimOne()))?.id).toBe('a');
  });

  test('what waits for its next attempt is due where all of its webhook is, page by page', async () => {
    const lease = await opened(store());
    await store().commit(lease, { events: [], deliveries: [delivery('a'), delivery('b', 'webhook_2')] });
    for (const each of await claim({ limit: 9 })) await store().releaseLane(each, dayMs);
    expect(await store().hurryLanes('webhook_1', 9)).toBe(1);
    expect(await store().hurryLanes('webhook_1', 9)).toBe(0);
    expect(await claim({ limit: 9 })).toMatchObject([{ webhookId: 'webhook_1' }]);
    expect(await store().hurryLanes('webhook_2', 0)).toBe(0);
    expect(await claim({ limit: 9 })).toEqual([]);
  });

  test('what is over is listed, sent again, and forgotten with its time, its session and its webhook', async () => {
    const lease = await opened(store());
    const ids = ['a', 'b', 'c', 'd'];
    const deliveries = [...ids.map((id) => delivery(id)), delivery('other', 'webhook_2')];
    await store().commit(lease, { events: [], deliveries });
    const lane = (await claim()).find(({ webhookId }) => webhookId === 'webhook_1');
    if (lane === undefined) throw new Error('Nothing is due.');
    await settle(lane, 'a', 'delivered');
    for (const id of ['b', 'c']) await settle(lane, id, 'failed');

    const page = { webhookId: 'webhook_1', status: 'failed', after: null, limit: 1 } as const;
    const newest = await store().listDeliveries(page);
    expect(newest.items).toMatchObject([{ id: 'c', ...attempt, attempts: 1 }]);
    const older = await store().listDeliveries({ ...page, after: newest.next });
    expect([older.items.map(({ id }) => id), older.next]).toEqual([['b'], null]);
    const any = { ...page, status: null, limit: 3 };
    const three = await store().listDeliveries(any);
    expect(three.items.map(({ id, status }) => [id, status])).toEqual([
      ['d', 'waiting'],
      ['c', 'failed'],
      ['b', 'failed'],
    ]);
    const rest = await store().listDeliveries({ ...any, after: three.next });
    expect([rest.items.map(({ id }) => id), rest.next]).toEqual([['a'], null]);
    const failed = { webhookId: 'webhook_1', since: start, limit: 9 };
    expect(await store().listFailed(failed)).toEqual(['b', 'c']);
    expect(await store().listFailed({ ...failed, since: start + 1 })).toEqual([]);
    expect(await store().getDelivery('webhook_2', 'b')).toBeNull();
    expect(await store().replayDeliveries('webhook_2', ['b'])).toBe(0);
    expect(await store().replayDeliveries('webhook_1', ['b', 'd', 'nobody'])).toBe(1);
    expect(await store().getDelivery('webhook_1', 'b')).toMatchObject({ status: 'waiting', attempts: 0 });
    expect((await store().nextDelivery(lane))?.id).toBe('b');
    expect(await store().finishLane(lane)).toBe(false);

    clock.now += dayMs;
    expect(await store().expireDeliveries({ olderThanMs: dayMs, limit: 9 })).toBe(0);
    clock.now += 1;
    expect(await store().expireDeliveries({ olderThanMs: dayMs, limit: 1 })).toBe(1);
    expect(await store().expireDeliveries({ olderThanMs: dayMs, limit: 9 })).toBe(1);
    expect((await listed()).map(({ id }) => id)).toEqual(['d', 'b']);
    expect(await store().eraseDeliveries('webhook_2', 9)).toBe(1);
    expect((await claim()).map(({ webhookId }) => webhookId)).toEqual(['webhook_1']);
    await store().removeSession('session_1');
    expect(await listed()).toEqual([]);
  });
}
