import { expect, test } from 'vitest';
import { logOf } from '../store/contract/samples.ts';
import { StoreUnavailableError } from '../store/store-error.ts';
import { failingService, heldTimeouts } from '../testing/failing-service.ts';

const script = [{ when: 'slow', steps: [{ wait: 300 }, { say: 'Slow.' }] }, { steps: [{ say: 'Next.' }] }];

test('a turn that was cancelled before its first write failed is cancelled when it begins', async () => {
  const failed = Promise.withResolvers<never>();
  let refused = 0;
  const { store, visitor } = await failingService(script, (sqlite) => ({
    async commit(lease, change) {
      if (refused === 1) return sqlite.commit(lease, change);
      refused += 1;
      return failed.promise;
    },
  }));
  const session = await visitor.start('slow');
  await expect.poll(() => refused).toBe(1);
  expect((await session.cancel()).status).toBe(202);
  failed.reject(new StoreUnavailableError('No room'));
  await session.send({ message: 'next' });
  await session.log(2);
  const ends = (await logOf(store, session.id)).map(({ event }) => event.type);
  expect(ends.filter((type) => /^turn\.(completed|failed|cancelled)$/.test(type))).toEqual([
    'turn.cancelled',
    'turn.completed',
  ]);
});

test.each([{}, { turnId: 'turn_0' }])(
  'a turn that was cut off and cancelled (%j) while the store was waited for ends as cancelled, the next one runs',
  async (named) => {
    const failed = Promise.withResolvers<never>();
    let refused = 0;
    const { store, visitor } = await failingService(script, (sqlite) => ({
      async commit(lease, change) {
        if (refused === 1 || !change.endTurns?.length) return sqlite.commit(lease, change);
        refused += 1;
        return failed.promise;
      },
    }));
    const session = await visitor.start('slow');
    await session.send({ message: 'next' });
    await expect.poll(() => refused).toBe(1);
    const timeouts = heldTimeouts();
    failed.reject(new StoreUnavailableError('No room'));
    expect((await session.cancel(named)).status).toBe(202);
    const ends = async () => {
      await timeouts.pass();
      const types = (await logOf(store, session.id)).map(({ event }) => event.type);
      return types.filter((type) => /^turn\.(completed|failed|cancelled)$/.test(type));
    };
    await expect.poll(ends).toEqual(['turn.cancelled', 'turn.completed']);
  },
);

test('whoever asks for the end of a task whose turn was cut off is told that it has ended', async () => {
  const failed = Promise.withResolvers<never>();
  let refused = 0;
  const { visitor } = await failingService(script, (sqlite) => ({
    async commit(lease, change) {
      if (refused === 1 || !change.endTurns?.length) return sqlite.commit(lease, change);
      refused += 1;
      return failed.promise;
    },
  }));
  const session = await visitor.start('slow', { mode: 'task' });
  await expect.poll(() => refused).toBe(1);
  const timeouts = heldTimeouts();
  let answer: unknown = null;
  void session.control(`${session.id}/end`).then((ended) => (answer = ended));
  await (await visitor.start('somebody else')).log(1);
  failed.reject(new StoreUnavailableError('No room'));
  const told = async () => {
    await timeouts.pass();
    return answer;
  };
  await expect.poll(told).toMatchObject({ status: 200, body: { status: 'completed' } });
});
