import { expect, onTestFinished, test } from 'vitest';
import { LocalBus } from '../bus/local-bus.ts';
import { EventBus } from '../events/event-bus.ts';
import { createLogger } from '../logger.ts';
import { enqueueRequest } from '../store/contract/samples.ts';
import type { LeasedSession } from '../store/queue-store.ts';
import { noWebhooks } from '../testing/no-webhooks.ts';
import { testStore } from '../testing/test-store.ts';
import { Sessions } from './sessions.ts';
import type { TurnRunner } from './turn-runner.ts';

/** A session that a runner holds, which executes commands as given. */
async function heldSession(execute: TurnRunner['execute']) {
  const store = await (await testStore()).open();
  const logger = createLogger('silent');
  const bus = new LocalBus(() => undefined);
  const live = new EventBus({ bus, store, logger });
  onTestFinished(async () => {
    live.close();
    await store.close();
  });
  const runner: TurnRunner = { lease: { owner: 'runner', leaseMs: 5_000 }, run: () => undefined, execute };
  const accepted = await store.enqueue(enqueueRequest({ lease: runner.lease }));
  const { lease } = (accepted as { leased: LeasedSession }).leased;
  const sessions = new Sessions({
    store,
    runner,
    bus,
    live,
    signIns: { forgetSession: () => Promise.resolve() },
    webhookOutbox: noWebhooks,
    fileUrl: (id) => id,
  });
  return { sessions, store, lease };
}

test('a cancel is answered once its turn is cancelled in the log', async () => {
  let written = false;
  const { sessions, store } = await heldSession(async () => {
    await store.ping();
    written = true;
    return 'cancelled' as const;
  });
  expect(await sessions.cancel('session_1')).toBe('accepted');
  expect(written).toBe(true);
  expect(await store.listCommands('session_1')).toEqual([]);
});

test('a cancel that is not executed soon is answered once it is stored, so that no crash loses it', async () => {
  const { sessions, store } = await heldSession(() => Promise.withResolvers<null>().promise);
  expect(await sessions.cancel('session_1', { turnId: 'turn_0' })).toBe('accepted');
  expect(await store.listCommands('session_1')).toMatchObject([
    { body: { kind: 'cancel', turnId: 'turn_0' } },
  ]);
});

test.each([
  ['took meanwhile', null],
  ['runs, unknown to a late owner', 'no-active-turn' as const],
])('a cancel of a turn that another process %s is stored for that one', async (_, outcome) => {
  const { sessions, store } = await heldSession(async () => outcome);
  expect(await sessions.cancel('session_1')).toBe('accepted');
  expect(await store.listCommands('session_1')).toMatchObject([
    { body: { kind: 'cancel', itemId: 'item_1' } },
  ]);
});

test('a cancel where nothing runs and nothing waits is stored for no later turn', async () => {
  const { sessions, store, lease } = await heldSession(async () => 'no-active-turn' as const);
  await store.commit(lease, { events: [], consume: [0] });
  expect(await sessions.cancel('session_1')).toBe('accepted');
  expect(await store.listCommands('session_1')).toEqual([]);
});
