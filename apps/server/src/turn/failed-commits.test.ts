import { expect, test } from 'vitest';
import { logOf } from '../store/contract/samples.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import type { Store } from '../store/store.ts';
import { failingService, heldTimeouts } from '../testing/failing-service.ts';

const script = [{ steps: [{ say: 'Heard {{input}}.' }] }];

const typesOf = async (store: Store, sessionId: string) =>
  (await logOf(store, sessionId)).map(({ event }) => event.type);

test('a turn that cannot begin is tried again, and the model waits for its first commit', async () => {
  let refused = 0;
  const { store, visitor, modelCalls } = await failingService(script, (sqlite) => ({
    async commit(lease, change) {
      if (refused === 3) return sqlite.commit(lease, change);
      refused += 1;
      throw new StoreUnavailableError('No room');
    },
  }));
  const { id } = await visitor.start('hello');
  await expect.poll(() => typesOf(store, id)).toContain('turn.completed');
  // Once beside the write that nobody knew would fail, and once for the answer.
  expect(modelCalls()).toBeLessThanOrEqual(2);
});

test('an item whose turn cannot be written is failed after some tries, and what came after it runs', async () => {
  let refused = 0;
  const { store, visitor, modelCalls } = await failingService(script, (sqlite) => ({
    async commit(lease, change) {
      const received = change.events.find(({ event }) => event.type === 'message.received');
      if (!JSON.stringify(received ?? null).includes('unwritable')) return sqlite.commit(lease, change);
      refused += 1;
      throw new StoreUnavailableError('Not this one');
    },
  }));
  const session = await visitor.start('first');
  await session.log(1);
  const timeouts = heldTimeouts();
  await session.send({ message: 'unwritable' });
  await expect.poll(() => refused).toBe(1);
  await session.send({ message: 'third' });
  await (await visitor.start('somebody else')).log(1);
  // It pauses, and the store takes what others write.
  expect(refused).toBe(1);
  const types = async () => {
    await timeouts.pass();
    return typesOf(store, session.id);
  };
  await expect.poll(types).toContain('turn.failed');
  expect(refused).toBe(8);
  await expect.poll(async () => (await types()).filter((type) => type === 'turn.completed').length).toBe(2);
  expect(modelCalls()).toBeLessThanOrEqual(4);
  expect(await store.listQueue(session.id)).toEqual([]);
});

test('a turn that was cut off is failed before anything else, and the model is not called again for it', async () => {
  let refused = 0;
  const slow = [{ steps: [{ wait: 300 }, { say: 'Heard.' }] }];
  const { store, visitor, modelCalls } = await failingService(slow, (sqlite) => ({
    async commit(lease, change) {
      if (refused === 3 || !change.endTurns?.length) return sqlite.commit(lease, change);
      refused += 1;
      throw new StoreUnavailableError('No room');
    },
  }));
  const { id } = await visitor.start('hello');
  await expect.poll(() => typesOf(store, id)).toContain('turn.failed');
  expect(modelCalls()).toBe(1);
  expect(await typesOf(store, id)).not.toContain('turn.completed');
});

test('a compaction calls the model only where the store takes something', async () => {
  let refuse = false;
  let refused = 0;
  const { store, visitor, modelCalls } = await failingService(script, (sqlite) => ({
    async commit(lease, change) {
      if (!refuse) return sqlite.commit(lease, change);
      refused += 1;
      throw new StoreUnavailableError('No room');
    },
  }));
  const session = await visitor.start('hello');
  await session.send({ message: 'and this' });
  await session.send({ message: 'and that' });
  await session.log(3);
  const before = modelCalls();
  refuse = true;
  const timeouts = heldTimeouts();
  await session.control('compact');
  const tried = async () => {
    await timeouts.pass();
    return refused;
  };
  await expect.poll(tried).toBeGreaterThan(4);
  expect(modelCalls() - before).toBe(1);
  refuse = false;
  const queue = async () => {
    await timeouts.pass();
    return store.listQueue(session.id);
  };
  await expect.poll(queue).toEqual([]);
});

test('a session goes on after a store that failed in ways nobody expects', async () => {
  let broken = false;
  let refused = 0;
  const fail = () => {
    refused += 1;
    if (refused > 4) broken = false;
    throw new Error('permission denied for table sessions');
  };
  const { store, visitor } = await failingService(script, (sqlite) => ({
    commit: async (lease, change) => (broken ? fail() : sqlite.commit(lease, change)),
    ping: async () => (broken ? fail() : sqlite.ping()),
  }));
  const session = await visitor.start('hello');
  await session.log(1);
  broken = true;
  await session.send({ message: 'and more' });
  await expect.poll(() => store.listQueue(session.id)).toEqual([]);
  await session.log(2);
  expect(refused).toBe(5);
});
