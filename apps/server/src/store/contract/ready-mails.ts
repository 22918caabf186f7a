import { expect, test } from 'vitest';
import type { Store } from '../store.ts';
import { enqueueRequest, opening, start, type TestClock } from './samples.ts';

const day = 86_400_000;

export function testReadyMails(store: () => Store, clock: TestClock): void {
  const open = (sessionId: string, more: object = {}) =>
    store().enqueue(enqueueRequest({ sessionId, open: { ...opening, ...more } }));
  const mail = { sequence: 0, address: 'Ada@example.com', language: 'de', origin: null };
  const claim = (exceptTenants: readonly string[] = []) =>
    store().claimReadyMails({ leaseMs: 5_000, limit: 10, exceptTenants });

  test('a mail that is waited for is looked at by one process at a time, taken once and put back where nothing newer is', async () => {
    await open('first');
    expect(await store().saveReadyMail('absent', mail, day)).toBe(false);
    expect(await store().saveReadyMail('first', { ...mail, address: 'wrong@example.com' }, day)).toBe(true);
    const origin = 'https://shop.example';
    expect(await store().saveReadyMail('first', { ...mail, origin }, day)).toBe(true);
    const claimed = (await Promise.all([claim(), claim()])).flat();
    expect(claimed).toEqual([
      {
        ...mail,
        origin,
        id: expect.any(String),
        sessionId: 'first',
        tenantId: opening.tenantId,
        attempts: 0,
        askedAt: start,
        expiresAt: start + day,
      },
    ]);
    const [looked] = claimed;
    await store().postponeReadyMail(looked!.id, 10_000);
    clock.now = start + 9_999;
    expect(await claim()).toEqual([]);
    clock.now = start + 10_000;
    expect(await claim()).toEqual(claimed);
    const taken = await Promise.all([1, 2, 3].map(() => store().takeReadyMail(looked!.id)));
    expect(taken.filter(Boolean)).toHaveLength(1);

    // Whoever took it may be gone, or have been late: nobody is given it again by time alone.
    await store().postponeReadyMail(looked!.id, 0);
    clock.now = start + 10_000 + 60_000;
    expect(await claim()).toEqual([]);
    clock.now = start + 10_000;
    await store().returnReadyMail(looked!.id, { dueInMs: 1_000, wasTried: true });
    expect(await claim()).toEqual([]);
    clock.now = start + 11_000;
    expect(await claim()).toEqual([{ ...looked, attempts: 1 }]);
    expect(await store().takeReadyMail(looked!.id)).toBe(true);
    await store().returnReadyMail(looked!.id, { dueInMs: 0, wasTried: false });
    expect(await claim()).toEqual([{ ...looked, attempts: 1 }]);
    await store().saveReadyMail('first', mail, day);
    expect(await store().takeReadyMail(looked!.id)).toBe(false);
    await store().returnReadyMail(looked!.id, { dueInMs: 0, wasTried: false });
    const [newer] = await claim();
    expect(newer).toMatchObject({ origin: null, attempts: 0 });
    clock.now = start + 11_000 + day - 1;
    await store().removeExpiredReadyMails();
    expect(await claim()).toHaveLength(1);
    clock.now = start + 11_000 + day;
    await store().removeExpiredReadyMails();
    expect(await store().takeReadyMail(newer!.id)).toBe(false);

    await store().saveReadyMail('first', mail, day);
    const [last] = await claim();
    await store().removeReadyMail(last!.id);
    expect(await store().takeReadyMail(last!.id)).toBe(false);
  });

  test('what is waited for goes with its session, and with whose address it is', async () => {
    await open('first');
    await open('second');
    await open('other', { tenantId: 'tenant_2', agentId: 'agent_9' });
    for (const id of ['first', 'second', 'other']) await store().saveReadyMail(id, mail, day);
    const sessions = async (except: readonly string[] = []) =>
      (await claim(except)).map(({ sessionId }) => sessionId).toSorted();
    // One of each tenant at a time, and none of those that are named.
    expect(await sessions(['tenant_2'])).toEqual(['first']);
    expect(await sessions()).toEqual(['other', 'second']);
    expect(await store().eraseReadyMailsTo(opening.tenantId, [])).toBe(0);
    expect(await store().eraseReadyMailsTo(opening.tenantId, ['x@example.com', 'ada@EXAMPLE.com'])).toBe(2);
    clock.now = start + 5_000;
    const [left] = await claim();
    expect(left).toMatchObject({ sessionId: 'other' });

    // Also while it is being handed over, whatever comes of that.
    await store().saveReadyMail('first', mail, day);
    const [taken] = await claim(['tenant_2']);
    for (const { id } of [left!, taken!]) expect(await store().takeReadyMail(id)).toBe(true);
    expect(await store().eraseReadyMailsTo(opening.tenantId, ['ada@example.com'])).toBe(1);
    await store().removeSession('other');
    for (const { id } of [left!, taken!]) await store().returnReadyMail(id, { dueInMs: 0, wasTried: false });
    expect(await claim()).toEqual([]);
  });
}
