import { maxPageBytes } from '@parley/protocol/bounds';
import { expect, test } from 'vitest';
import { enqueueRequest, leaseMs, sessionCompleted } from '../store/contract/samples.ts';
import type { Store } from '../store/store.ts';
import { localEvents } from '../testing/local-events.ts';
import { testStore } from '../testing/test-store.ts';
import { sendTeamAction } from './send-team-action.ts';
import { initialState } from './state/schema.ts';

const action = { kind: 'take-over', member: { id: 'member_1', name: 'Grace' } } as const;

async function openedStore(): Promise<Store> {
  const stored = await testStore();
  const store = await stored.open();
  const opening = enqueueRequest({ sessionId: 'session_1', lease: null });
  await store.enqueue({
    ...opening,
    ...(opening.open && { open: { ...opening.open, state: initialState } }),
  });
  return store;
}

const depsOn = (store: Store) => ({
  store,
  runner: null,
  ...localEvents(store),
  cancel: () => Promise.resolve(),
});

test('who was refused for somebody who has left meanwhile is told so, and does not wait', async () => {
  const store = await openedStore();
  // The turns of another process have refused it, and handed back, before it is looked at.
  const emptied: Store = { ...store, isQueued: () => Promise.resolve(false) };
  const result = await sendTeamAction(depsOn(emptied), { id: 'session_1', nextIndex: 0 }, action);
  expect(result).toEqual({ outcome: 'overtaken' });
});

test('what waits behind more than a page is waited for', async () => {
  const store = await openedStore();
  await store.enqueue(enqueueRequest({ lease: null, item: { id: 'large', body: 'x'.repeat(maxPageBytes) } }));
  const acting = sendTeamAction(depsOn(store), { id: 'session_1', nextIndex: 0 }, action);
  await expect.poll(async () => (await store.nextItem('session_1', ['take-over']))?.body).toEqual(action);
  const item = await store.nextItem('session_1', ['take-over']);
  const lease = await store.acquireLease('session_1', { owner: 'another', leaseMs });
  await store.commit(lease!, {
    events: [{ ...sessionCompleted, itemId: item!.id }],
    consume: [item!.position],
  });
  expect(await acting).toEqual({ outcome: 'done' });
});
