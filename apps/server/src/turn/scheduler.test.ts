import { expect, onTestFinished, test } from 'vitest';
import { LocalBus } from '../bus/local-bus.ts';
import { EventBus } from '../events/event-bus.ts';
import { createLogger } from '../logger.ts';
import { Sessions } from '../session/sessions.ts';
import { emptyInput } from '../session/message-input.ts';
import { opened } from '../store/contract/samples.ts';
import { noWebhooks } from '../testing/no-webhooks.ts';
import { testStore } from '../testing/test-store.ts';
import { Scheduler } from './scheduler.ts';

test('what a process that runs no turns accepts is begun when the bus says so, before any look for it', async () => {
  const store = await (await testStore()).open();
  const logger = createLogger('silent');
  const bus = new LocalBus(() => undefined);
  const live = new EventBus({ bus, store, logger });
  // Never started: it looks for nothing.
  const scheduler = new Scheduler({
    store,
    bus,
    logger,
    tracer: null,
    webhookOutbox: noWebhooks,
    resolveAgent: async () => null,
    publish: () => undefined,
    isRead: () => false,
  });
  onTestFinished(async () => {
    await scheduler.drain(0);
    live.close();
    await store.close();
  });
  const sessions = new Sessions({
    store,
    runner: null,
    bus,
    live,
    signIns: { forgetSession: () => Promise.resolve() },
    webhookOutbox: noWebhooks,
    fileUrl: (id) => id,
  });
  const owner = { tenantId: 'tenant', agentId: 'gone' };
  const sent = await sessions.open(
    owner,
    { canRequestInput: false, mode: 'conversation', visitor: null },
    {
      input: { ...emptyInput, message: null },
      rateLimits: [],
      quotas: [],
      reservation: { scope: 'tokens', windowMs: 60_000, limit: 1_000, amount: 1 },
      files: {
        ...owner,
        visitor: null,
        quotas: { uploads: [], bytes: [] },
        maxSessionBytes: 0,
        again: false,
      },
      repeatable: null,
    },
  );
  if (sent.outcome !== 'accepted') throw new Error(sent.outcome);
  // A turn of a tenant that is gone removes its session.
  await expect.poll(() => store.getSession(sent.sessionId)).toBeNull();
});

test('a lease that is given while the process stops is let go of, and the stop waits for that', async () => {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  const asked = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  const scheduler = new Scheduler({
    store: {
      ...store,
      async acquireLease(sessionId, request) {
        asked.resolve();
        await given.promise;
        return store.acquireLease(sessionId, request);
      },
    },
    bus: new LocalBus(() => undefined),
    logger: createLogger('silent'),
    tracer: null,
    webhookOutbox: noWebhooks,
    resolveAgent: async () => null,
    publish: () => undefined,
    isRead: () => false,
  });
  const { sessionId } = await opened(store);
  await store.abandonLease({ sessionId, epoch: 1 });
  const started = scheduler.start();
  await asked.promise;
  const stopped = scheduler.drain(0);
  given.resolve();
  await Promise.all([started, stopped]);
  expect(await store.listRunnable({ owner: 'another', limit: 9 })).toEqual([sessionId]);
});
