import { expect, onTestFinished, test } from 'vitest';
import { opened, received, turnStarted } from '../store/contract/samples.ts';
import { testStore } from '../testing/test-store.ts';
import { MessageSearch } from './message-search.ts';
import { wordsOfQuery } from './message-terms.ts';

test('however much was said, no write has more of it than one long message', async () => {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  const lease = await opened(store);
  const words = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index}x`).join(' ');
  const short = Array.from({ length: 4 }, (_, index) => received(words(`short${index}`, 10)));
  const long = Array.from({ length: 3 }, (_, index) => received(words(`long${index}`, 1_500)));
  await store.commit(lease, { events: [turnStarted(0), ...short, ...long, received('last')] });
  const writes: number[] = [];
  const search = new MessageSearch({
    listUnsearched: () => store.listUnsearched(),
    saveSearched(ranges) {
      const messages = ranges.flatMap((range) => range.messages);
      writes.push(messages.reduce((sum, { terms }) => sum + terms.length, 0));
      return store.saveSearched(ranges);
    },
  });
  await search.work();
  expect(writes.length).toBeGreaterThan(1);
  expect(Math.max(...writes)).toBeLessThanOrEqual(4_000);
  expect(await store.listUnsearched()).toEqual([]);
  const { agentId, tenantId } = (await store.getSession(lease.sessionId))!;
  const found = async (query: string) => {
    const all = { from: 0, before: Number.MAX_SAFE_INTEGER, after: null, limit: 10 };
    const within = { tenantId, agentIds: [agentId], maxLookedAt: 100, maxMessages: 1_000 };
    const wanted = { ...all, ...within, words: wordsOfQuery(tenantId, query) };
    return (await store.findConversations(wanted)).items.map(({ id }) => id);
  };
  const each = ['short0', 'short3', 'long0', 'long1', 'long2'].map((name) => `${name}9x`);
  for (const query of [...each, 'last']) expect(await found(query)).toEqual([lease.sessionId]);
});

test('what was said while a look was on its way is found by a search that came after it', async () => {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  const lease = await opened(store);
  const answered = Promise.withResolvers<void>();
  let looks = 0;
  const search = new MessageSearch({
    async listUnsearched() {
      const ranges = await store.listUnsearched();
      if ((looks += 1) === 1) await answered.promise;
      return ranges;
    },
    saveSearched: (ranges) => store.saveSearched(ranges),
  });
  const work = search.work();
  await expect.poll(() => looks).toBe(1);
  await store.commit(lease, { events: [turnStarted(0), received('kayak')] });
  const caughtUp = search.catchUp();
  answered.resolve();
  await Promise.all([work, caughtUp]);
  expect(await store.listUnsearched()).toEqual([]);
});
