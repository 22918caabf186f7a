import { expect, onTestFinished, test } from 'vitest';
import { opened } from '../../store/contract/samples.ts';
import { testStore } from '../../testing/test-store.ts';
import { readHistory } from './read-history.ts';

test('of a history that no turn could hold the newest part is read, from something that was asked on', async () => {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  const lease = await opened(store);
  const content = 'x'.repeat(300_000);
  const history = Array.from({ length: 60 }, (_, index) => ({
    turn: Math.floor(index / 3),
    message: { role: index % 3 === 0 ? 'user' : 'assistant', content },
  }));
  await store.commit(lease, { events: [], history });
  const read = await readHistory(store, 'session_1', { clearedUpTo: -1, summary: null });
  expect(read.length * content.length).toBeLessThan(8 * 1024 * 1024);
  expect(read.length * content.length).toBeGreaterThan(7 * 1024 * 1024);
  expect(read).toEqual(history.slice(-read.length));
  expect(read[0]!.message.role).toBe('user');
});
