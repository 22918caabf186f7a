import { expect, onTestFinished, test } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { createLogger } from '../logger.ts';
import type { Sessions } from '../session/sessions.ts';
import { draftId } from '../settings/draft-id.ts';
import { enqueueRequest, opening } from '../store/contract/samples.ts';
import { seed } from '../store/contract/settings.ts';
import { dayMs } from '../store/day-ms.ts';
import { localEvents } from '../testing/local-events.ts';
import { testStore } from '../testing/test-store.ts';
import { sweepSessions } from './sweep-sessions.ts';

const secrets = createSecrets(['s'.repeat(48)]);

test('what is open of an agent that is gone is ended, where whoever removed it did not come to that', async () => {
  let now = Date.now();
  const store = await (await testStore()).open(() => now);
  onTestFinished(() => store.close());
  await seed(store);
  const agents = {
    live: 'agent_1',
    draft: draftId('agent_1'),
    gone: 'gone',
    'draft of gone': draftId('gone'),
  };
  for (const [sessionId, agentId] of Object.entries(agents))
    await store.enqueue(enqueueRequest({ sessionId, open: { ...opening, agentId } }));
  const ended: string[] = [];
  const sessions: Pick<Sessions, 'end'> = {
    async end(id, ending) {
      ended.push(id);
      await store.endSession(id, ending);
      return 'ended';
    },
  };
  const { bus } = localEvents(store);
  const sweep = () => sweepSessions({ store, sessions, secrets, bus, logger: createLogger('silent') });
  await sweep();
  expect(ended).toEqual([]);
  now += dayMs;
  await sweep();
  expect(ended.toSorted()).toEqual(['draft', 'draft of gone', 'gone']);
});

test('whoever has a conversation in a list is told that it was erased', async () => {
  let now = Date.now();
  const store = await (await testStore()).open(() => now);
  onTestFinished(() => store.close());
  await seed(store);
  const config = {
    model: { provider: 'scripted', script: [{ steps: [{ say: 'Hello' }] }] },
    retentionDays: 1,
  };
  await store.settings.agents.update('agent_1', { config, credentials: null });
  await store.enqueue(enqueueRequest({ lease: null }));
  await store.endSession('session_1', { events: [], status: 'completed' });
  const { bus } = localEvents(store);
  const told: unknown[] = [];
  bus.subscribe('threadChanged', (message) => told.push(message));
  const sessions: Pick<Sessions, 'end'> = { end: () => Promise.resolve('not-open') };
  const sweep = () => sweepSessions({ store, sessions, secrets, bus, logger: createLogger('silent') });
  await sweep();
  expect(told).toEqual([]);
  now += dayMs;
  await sweep();
  expect(told).toEqual([{ topic: 'threadChanged', sessionId: 'session_1', removedFrom: 'agent_1' }]);
});
