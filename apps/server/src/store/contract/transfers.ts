import { expect, test } from 'vitest';
import type { Store } from '../store.ts';
import { enqueueRequest, opening, start, type TestClock } from './samples.ts';

const owner = { tenantId: 'tenant_1', agentId: 'agent_1' };

export function testTransfers(store: () => Store, clock: TestClock): void {
  const open = (sessionId: string, more: object = {}) =>
    store().enqueue(enqueueRequest({ sessionId, open: { ...opening, ...owner, ...more } }));

  test('a transfer is taken once, in its time, by its own agent, and the last of a session counts', async () => {
    await open('first');
    await open('hers', { visitor: 'ada' });
    expect(await store().saveTransfer('absent', 'one', 1_000)).toBe(false);
    expect(await store().saveTransfer('hers', 'one', 1_000)).toBe(false);
    expect(await store().saveTransfer('first', 'one', 1_000)).toBe(true);
    expect(await store().saveTransfer('first', 'two', 1_000)).toBe(true);
    expect(await store().takeTransfer(owner, 'one')).toBeNull();
    expect(await store().takeTransfer({ ...owner, agentId: 'agent_2' }, 'two')).toBeNull();
    expect(await store().takeTransfer({ ...owner, tenantId: 'tenant_2' }, 'two')).toBeNull();
    const taken = await Promise.all([1, 2, 3].map(() => store().takeTransfer(owner, 'two')));
    expect(taken.filter((id) => id !== null)).toEqual(['first']);

    await store().saveTransfer('first', 'three', 1_000);
    await store().removeTransfer('first');
    expect(await store().takeTransfer(owner, 'three')).toBeNull();
    await store().saveTransfer('first', 'four', 1_000);
    clock.now = start + 1_000;
    expect(await store().takeTransfer(owner, 'four')).toBeNull();
  });

  test('a transfer goes with its session, and is none once somebody is known to be its visitor', async () => {
    await open('first');
    await store().saveTransfer('first', 'one', 1_000);
    await store().assignVisitor('first', 'ada');
    expect(await store().takeTransfer(owner, 'one')).toBeNull();
    await open('second');
    await store().saveTransfer('second', 'two', 1_000);
    await store().removeSession('second');
    expect(await store().takeTransfer(owner, 'two')).toBeNull();
  });
}
