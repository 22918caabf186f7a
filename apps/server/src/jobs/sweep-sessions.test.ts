import { expect, onTestFinished, test } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { createLogger } from '../logger.ts';
import type { SessionEnd } from '../session/session-command.ts';
import type { Sessions } from '../session/sessions.ts';
import { draftId } from '../settings/draft-id.ts';
import { enqueueRequest, opening } from '../store/contract/samples.ts';
import { seed } from '../store/contract/settings.ts';
import { dayMs } from '../store/day-ms.ts';
import type { Store } from '../store/store.ts';
import { localEvents } from '../testing/local-events.ts';
import { testStore } from '../testing/test-store.ts';
import { sweepSessions } from './sweep-sessions.ts';

const secrets = createSecrets(['s'.repeat(48)]);

/** Sessions that end in the store, and are live nowhere. */
const endedIn = (store: Store): Pick<Sessions, 'end' | 'endIdle'> => ({
  end: async (id, ending) => ((await store.endSession(id, ending)) === null ? 'not-open' : 'ended'),
  endIdle: async (id, ending, idleMs) => (await store.endSession(id, { ...ending, idleMs })) !== null,
});

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
  const sessions = {
    ...endedIn(store),
    async endIdle(id: string, ending: SessionEnd, idleMs: number) {
      ended.push(id);
      return (await store.endSession(id, { ...ending, idleMs })) !== null;
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
  const sessions = endedIn(store);
  const sweep = () => sweepSessions({ store, sessions, secrets, bus, logger: createLogger('silent') });
  await sweep();
  expect(told).toEqual([]);
  now += dayMs;
  await sweep();
  expect(told).toEqual([{ topic: 'threadChanged', sessionId: 'session_1', removedFrom: 'agent_1' }]);
});

test.each(['chat', 'sessions'] as const)(
  'a message that comes while others are swept keeps its idle conversation, as %s has it',
  async (kind) => {
    let now = Date.now();
    const real = await (await testStore()).open(() => now);
    onTestFinished(() => real.close());
    await seed(real);
    const config = {
      model: { provider: 'scripted', script: [{ steps: [{ say: 'Hello' }] }] },
      retentionDays: 1,
    };
    await real.settings.agents.update('agent_1', { config, credentials: null });
    const ids = ['session_1', 'session_2'];
    for (const sessionId of ids) {
      const chat = { interface: 'chat', conversationId: sessionId, conversationScope: 'secret' } as const;
      await real.enqueue(
        enqueueRequest({ sessionId, open: { ...opening, ...(kind === 'chat' && chat) }, lease: null }),
      );
    }
    now += dayMs + 1;
    // What one of the two meets as the first is over.
    const overtaken = async <T>(id: string, over: Promise<T>): Promise<T> => {
      const result = await over;
      const { open: _, ...back } = enqueueRequest({
        sessionId: 'session_2',
        item: { id: 'item_back', body: {} },
        lease: null,
      });
      if (id === 'session_1') expect(await real.enqueue(back)).toMatchObject({ outcome: 'accepted' });
      return result;
    };
    const store: Store = {
      ...real,
      removeSession: (id, only) => overtaken(id, real.removeSession(id, only)),
    };
    const sessions: Pick<Sessions, 'end' | 'endIdle'> = {
      ...endedIn(real),
      endIdle: (id, ...ending) => overtaken(id, endedIn(real).endIdle(id, ...ending)),
    };
    const { bus } = localEvents(real);
    await sweepSessions({ store, sessions, secrets, bus, logger: createLogger('silent') });
    expect((await real.getSession('session_1'))?.status).toBe(kind === 'chat' ? undefined : 'completed');
    expect((await real.getSession('session_2'))?.status).toBe('open');
    expect(await real.listQueue('session_2')).toHaveLength(2);
  },
);

test('a conversation that cannot be erased keeps none of the others', async () => {
  let now = Date.now();
  const real = await (await testStore()).open(() => now);
  onTestFinished(() => real.close());
  await seed(real);
  const config = { model: { provider: 'scripted', script: [{ steps: [{ say: 'Hello' }] }] } };
  await real.settings.agents.update('agent_1', { config, credentials: null });
  const agents = { first: 'agent_1', second: 'agent_1', 'of one that is gone': 'gone' };
  for (const [sessionId, agentId] of Object.entries(agents)) {
    await real.enqueue(enqueueRequest({ sessionId, open: { ...opening, agentId }, lease: null }));
    await real.endSession(sessionId, { events: [], status: 'completed' });
  }
  now += 365 * dayMs;
  const store: Store = {
    ...real,
    removeSession: (id, only) =>
      id === 'first' ? Promise.reject(new Error('No such function')) : real.removeSession(id, only),
  };
  const { bus } = localEvents(real);
  await sweepSessions({
    store,
    sessions: endedIn(real),
    secrets,
    bus,
    logger: createLogger('silent'),
  });
  const left = [];
  for (const id of Object.keys(agents)) if (await real.getSession(id)) left.push(id);
  expect(left).toEqual(['first']);
});

test('a page of conversations that cannot be erased keeps none of those behind it', async () => {
  let now = Date.now();
  const real = await (await testStore()).open(() => now);
  onTestFinished(() => real.close());
  await seed(real);
  const config = { model: { provider: 'scripted', script: [{ steps: [{ say: 'Hello' }] }] } };
  await real.settings.agents.update('agent_1', { config, credentials: null });
  const open = async (sessionId: string, agentId: string) => {
    await real.enqueue(enqueueRequest({ sessionId, open: { ...opening, agentId }, lease: null }));
    await real.endSession(sessionId, { events: [], status: 'completed' });
  };
  for (let index = 0; index < 101; index += 1) await open(`broken ${index}`, 'agent_1');
  now += 1;
  for (const sessionId of ['behind', 'further behind']) await open(sessionId, 'agent_1');
  now += 365 * dayMs;
  const store: Store = {
    ...real,
    removeSession: (id, only) =>
      id.startsWith('broken') ? Promise.reject(new Error('No such function')) : real.removeSession(id, only),
  };
  const { bus } = localEvents(real);
  const sessions = endedIn(store);
  await sweepSessions({ store, sessions, secrets, bus, logger: createLogger('silent') });
  for (const id of ['behind', 'further behind']) expect(await real.getSession(id), id).toBe(null);
});
