import { expect, test } from 'vitest';
import { enqueueRequest } from '../store/contract/samples.ts';
import type { Store } from '../store/store.ts';
import { localEvents } from '../testing/local-events.ts';
import { testStore } from '../testing/test-store.ts';
import { sendTeamAction } from './send-team-action.ts';
import { initialState } from './state/schema.ts';

test('who was refused for somebody who has left meanwhile is told so, and does not wait', async () => {
  const stored = await testStore();
  const store = await stored.open();
  const opening = enqueueRequest({ sessionId: 'session_1' });
  await store.enqueue({
    ...opening,
    ...(opening.open && { open: { ...opening.open, state: initialState } }),
  });
  // The turns of another process have refused it, and handed back, before it is looked at.
  const emptied: Store = { ...store, listQueue: () => Promise.resolve([]) };
  const deps = { store: emptied, runner: null, ...localEvents(store), cancel: () => Promise.resolve() };
  const action = { kind: 'take-over', member: { id: 'member_1', name: 'Grace' } } as const;
  const result = await sendTeamAction(deps, { id: 'session_1', nextIndex: 0 }, action);
  expect(result).toEqual({ outcome: 'overtaken' });
});
