import { setImmediate as nextImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { logOf } from '../store/contract/samples.ts';
import type { Commit } from '../store/event-store.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import { failingService, heldTimeouts } from '../testing/failing-service.ts';

test('the model is asked while the message is on its way to the disk, and nothing is written before it is there', async () => {
  const onDisk = Promise.withResolvers<void>();
  const commits: Commit[] = [];
  const { visitor, modelCalls } = await failingService([{ steps: [{ say: 'Heard.' }] }], (sqlite) => ({
    async enqueue(...asked) {
      const accepted = await sqlite.enqueue(...asked);
      await onDisk.promise;
      return accepted;
    },
    commit(lease, commit) {
      commits.push(commit);
      return sqlite.commit(lease, commit);
    },
  }));
  let isAccepted = false;
  const starting = visitor.start('hello').finally(() => (isAccepted = true));
  await expect.poll(modelCalls).toBe(1);
  expect(isAccepted).toBe(false);
  expect(commits).toEqual([]);
  onDisk.resolve();
  const types = (await (await starting).log(1)).map(({ type }) => type);
  expect(types.slice(0, 3)).toEqual(['session.started', 'turn.started', 'message.received']);
  expect(commits[0]!.events[0]!.event.type).toBe('session.started');
});

test('a message that is not known to be on the disk is refused, however far its turn has come', async () => {
  const { visitor, modelCalls } = await failingService([{ steps: [{ say: 'Heard.' }] }], (sqlite) => ({
    async enqueue(...asked) {
      await sqlite.enqueue(...asked);
      await expect.poll(modelCalls).toBe(1);
      throw new StoreUnavailableError('The database cannot be written');
    },
  }));
  expect(await visitor.post('', { message: 'hello' })).toMatchObject({ status: 503 });
});

test('a turn that is begun again begins after what it had begun to write', async () => {
  const onDisk = Promise.withResolvers<void>();
  let fileReads = 0;
  const { store, visitor, modelCalls } = await failingService([{ steps: [{ say: 'Seen.' }] }], (sqlite) => ({
    async enqueue(...asked) {
      const accepted = await sqlite.enqueue(...asked);
      await onDisk.promise;
      return accepted;
    },
    files: {
      ...sqlite.files,
      get(id) {
        fileReads += 1;
        return fileReads === 1
          ? Promise.reject(new StoreUnavailableError('The disk is away'))
          : sqlite.files.get(id);
      },
    },
  }));
  const timeouts = heldTimeouts();
  const file = { type: 'file', mediaType: 'text/plain', data: 'data:text/plain;base64,aGVsbG8=' };
  const starting = visitor.start([{ type: 'text', text: 'look' }, file]);
  await expect.poll(() => fileReads).toBe(1);
  // Whoever does not wait has paused by now, and begun again.
  for (let turns = 0; turns < 50; turns += 1) {
    await timeouts.pass();
    await nextImmediate();
  }
  expect(modelCalls()).toBe(0);
  onDisk.resolve();
  const { id } = await starting;
  const types = async () => {
    await timeouts.pass();
    return (await logOf(store, id)).map(({ event }) => event.type);
  };
  await expect.poll(types).toContain('session.waiting');
  expect((await types()).filter((type) => type === 'session.started' || type === 'turn.started')).toEqual([
    'session.started',
    'turn.started',
  ]);
});
