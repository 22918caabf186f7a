import { expect, test } from 'vitest';
import { enqueueRequest } from '../store/contract/samples.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import type { Store } from '../store/store.ts';
import { failingService, heldTimeouts } from '../testing/failing-service.ts';
import { said } from '../testing/visitor.ts';

const script = [{ steps: [{ wait: 300 }, { say: 'Heard.' }] }];
const command = { id: 'command_1', kind: 'applaud', body: { kind: 'applaud' } };

/** No turn ends before this is called: a session that nothing runs in takes no command. */
function heldEnds() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const commit =
    (sqlite: Store): Store['commit'] =>
    async (lease, change) => {
      if (change.endTurns?.length) await promise;
      return sqlite.commit(lease, change);
    };
  return { commit, letGo: resolve };
}

test('a command of a newer version is finished, and keeps nobody from letting go of the session', async () => {
  const ends = heldEnds();
  const { store, visitor } = await failingService(script, (sqlite) => ({ commit: ends.commit(sqlite) }));
  const session = await visitor.start('hello');
  expect(await store.sendCommand(session.id, command)).toBe('sent');
  ends.letGo();
  await expect.poll(() => store.getCommandOutcome(command.id)).toBe('no-active-turn');
  await expect.poll(() => store.sendCommand(session.id, { ...command, id: 'command_2' })).toBe('free');
});

test('an item of a newer version is taken once, and what comes after it is answered', async () => {
  const { store, visitor, log } = await failingService([{ steps: [{ say: 'Heard.' }] }], () => ({}));
  const session = await visitor.start('hello');
  await session.log(1);
  const { open: _, ...request } = enqueueRequest({
    sessionId: session.id,
    item: { id: 'item_later', body: { kind: 'applaud' } },
    lease: null,
  });
  expect(await store.enqueue(request)).toMatchObject({ outcome: 'accepted' });
  await session.send({ message: 'hello again' });
  // What became of the item is in the log, too.
  expect(said(await session.log(3))).toEqual(['Heard.', 'Heard.']);
  await expect.poll(() => store.listQueue(session.id)).toEqual([]);
  expect(log().filter((line) => line.includes('no item of the kind applaud'))).toHaveLength(1);
});

test.each([
  [null],
  ['cancel'],
  [[]],
  [{ kind: 'cancel', turnId: 7 }],
  [{ kind: 'end' }],
  [{ kind: 'end', status: 'completed', events: [{ event: {} }] }],
])('a stored command %j is dropped with a line in the log, and the one behind it executed', async (body) => {
  const { store, visitor, log } = await failingService([{ steps: [{ wait: 600_000 }] }], () => ({}));
  const session = await visitor.start('hello');
  expect(await store.sendCommand(session.id, { id: 'unreadable', kind: 'cancel', body })).toBe('sent');
  const cancel = { kind: 'cancel', turnId: 'turn_0' };
  expect(await store.sendCommand(session.id, { id: 'behind', kind: 'cancel', body: cancel })).toBe('sent');
  await expect.poll(() => store.getCommandOutcome('unreadable')).toBe('no-active-turn');
  await expect.poll(() => store.getCommandOutcome('behind')).toBe('cancelled');
  expect(log().filter((line) => line.includes('was dropped'))).toHaveLength(1);
});

test('a command whose outcome cannot be written is not tried again without a pause', async () => {
  const ends = heldEnds();
  let refused = 0;
  let releases = 0;
  const { store, visitor } = await failingService(script, (sqlite) => ({
    async commit(lease, change) {
      if (!change.commands?.length) return ends.commit(sqlite)(lease, change);
      refused += 1;
      throw new StoreUnavailableError('No room');
    },
    async releaseLease(lease) {
      releases += 1;
      return sqlite.releaseLease(lease);
    },
  }));
  const session = await visitor.start('hello');
  expect(await store.sendCommand(session.id, command)).toBe('sent');
  ends.letGo();
  const timeouts = heldTimeouts();
  await expect.poll(() => refused).toBeGreaterThan(0);
  await (await visitor.start('somebody else')).log(1);
  await (await visitor.start('somebody else')).log(1);
  expect(refused).toBeLessThan(4);
  const tried = async () => {
    await timeouts.pass();
    return refused;
  };
  await expect.poll(tried).toBeGreaterThan(5);
  expect(releases).toBeLessThan(refused + 4);
});
