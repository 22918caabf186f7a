import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '../logger.ts';
import { opened } from '../store/contract/samples.ts';
import { testStore } from '../testing/test-store.ts';
import { handBackAbandoned } from './hand-back-abandoned.ts';
import type { Sessions } from './sessions.ts';
import { UnreadableStateError } from './state/unreadable-state-error.ts';

test('a conversation that cannot be read keeps no other from being handed back', async () => {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  for (const id of ['broken', 'other']) await opened(store, id);
  const handedBack: string[] = [];
  const sessions: Pick<Sessions, 'act'> = {
    async act({ id }) {
      if (id === 'broken') throw new UnreadableStateError('not JSON');
      handedBack.push(id);
      return { outcome: 'done' };
    },
  };
  const listed = { items: ['broken', 'other'], next: null };
  await handBackAbandoned({
    store: { getSession: (id) => store.getSession(id), listAbandonedThreads: async () => listed },
    sessions,
    logger: createLogger('silent'),
  });
  expect(handedBack).toEqual(['other']);
});
