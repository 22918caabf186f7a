import { expect, test } from 'vitest';
import { logOf } from '../store/contract/samples.ts';
import { failingService } from '../testing/failing-service.ts';

const script = [{ steps: [{ say: 'Heard {{input}}.' }, { wait: 300 }] }];

test.each([
  ['is not written', false, 'turn.failed'],
  ['is written without an answer', true, 'turn.completed'],
])(
  'a turn whose last commit fails in a way nobody expects, and %s, has one start and one end',
  async (_, written, end) => {
    let refused = 0;
    const { store, visitor } = await failingService(script, (sqlite) => ({
      async commit(lease, change) {
        if (refused === 1 || !change.endTurns?.length) return sqlite.commit(lease, change);
        refused += 1;
        if (written) await sqlite.commit(lease, { ...change, release: false });
        throw new Error('permission denied for table sessions');
      },
    }));
    const session = await visitor.start('this');
    await session.send({ message: 'that' });
    await expect.poll(() => store.listQueue(session.id)).toEqual([]);
    const log = await session.log(2);
    const types = log.map(({ type }) => type);
    const turns = types.filter((type) => /^(session\.started|turn\.\w+)$/.test(type));
    expect(turns).toEqual(['session.started', 'turn.started', end, 'turn.started', 'turn.completed']);
    expect(await logOf(store, session.id)).toHaveLength(log.length);
    expect(refused).toBe(1);
  },
);

test('a clear that is written without an answer is not taken back', async () => {
  let refused = 0;
  const { store, visitor } = await failingService(script, (sqlite) => ({
    async commit(lease, change) {
      const isClear = change.events.some(({ event }) => event.type === 'context.cleared');
      if (refused === 1 || !isClear) return sqlite.commit(lease, change);
      refused += 1;
      await sqlite.commit(lease, { ...change, release: false });
      throw new Error('permission denied for table sessions');
    },
  }));
  const session = await visitor.start('this');
  await session.log(1);
  await session.control('clear');
  await expect.poll(() => refused).toBe(1);
  await session.send({ message: 'that' });
  const types = (await session.log(3)).map(({ type }) => type);
  expect(types.filter((type) => /^(context|session)\./.test(type))).toEqual([
    'session.started',
    'session.waiting',
    'context.cleared',
    'session.waiting',
    'session.waiting',
  ]);
  expect((await store.getSession(session.id))?.state).toMatchObject({ clearedUpTo: 0 });
});
