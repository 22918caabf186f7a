import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import type { RunningService } from '../running-service.ts';
import { startService } from '../service.ts';
import { testStore } from '../testing/test-store.ts';
import type { Store } from '../store/store.ts';
import type { TurnRecord } from '../store/turn-store.ts';
import { newAgent } from '../testing/new-agent.ts';
import { type ToolEndpoint, openToolEndpoint } from '../testing/tool-endpoint.ts';
import { Visitor, asked } from '../testing/visitor.ts';

let endpoint: ToolEndpoint;
let store: Store;
let service: RunningService;
let close: () => Promise<void>;

beforeAll(async () => {
  const stored = await testStore(afterAll);
  endpoint = await openToolEndpoint();
  store = await stored.open();
  const config = readConfig({ ...stored.environment, PORT: '0', EGRESS_ALLOW: endpoint.host });
  service = await startService(config, createLogger('fatal'), { store });
  close = async () => {
    await service.stop();
    endpoint.close();
  };
});
afterAll(() => close());

const script = [
  { when: 'refund', steps: [{ say: 'May I?' }, { call: 'refund' }, { say: 'Done.' }] },
  { when: 'ponder', steps: [{ wait: 60_000 }] },
  { when: 'stumble', steps: [{ say: 'Well' }, { fail: 'The model has fallen over.' }] },
  { steps: [{ say: 'You said {{input}}, I believe.', delayMs: 5 }] },
];

async function agent(more: Record<string, unknown> = {}) {
  const refund = {
    name: 'refund',
    approval: 'always',
    parameters: { type: 'object' },
    request: { method: 'POST', url: `${endpoint.url}/refund` },
    ...more,
  };
  const { agentId, key } = await newAgent(service, script, [refund]);
  const query = { agentId, from: 0, before: Number.MAX_SAFE_INTEGER, after: null, limit: 50 };
  return {
    visitor: new Visitor(service.url, key),
    /** In the order in which they began. */
    turns: async (): Promise<TurnRecord[]> => (await store.listTurns(query)).items.toReversed(),
    waiting: async () =>
      (await store.listTurns({ ...query, waiting: true })).items.map(({ sequence }) => sequence),
  };
}

test('a turn that is answered: who began it, where it stands in the log, what it cost, and how long it took', async () => {
  const { visitor, turns, waiting } = await agent();
  const session = await visitor.start('hello');
  const events = await session.log(1);
  const [turn] = await turns();
  const at = (type: string) => events.findIndex((event) => event.type === type);
  expect(turn).toMatchObject({
    sessionId: session.id,
    sequence: 0,
    status: 'completed',
    author: 'visitor',
    modelId: 'scripted',
    firstIndex: at('turn.started'),
    lastIndex: at('session.waiting'),
    inputTokens: 1,
    outputTokens: 5,
    startedAt: Date.parse(events[at('turn.started')]!.meta.at),
  });
  expect(turn!.itemId).toMatch(/^[0-9a-f-]{36}$/);
  expect(turn!.firstDeltaAt).toBeGreaterThanOrEqual(turn!.startedAt);
  expect(turn!.endedAt).toBeGreaterThan(turn!.firstDeltaAt!);

  await session.send({ message: 'and more' });
  await session.log(2);
  expect((await turns()).map(({ sequence, firstIndex }) => [sequence, firstIndex])).toEqual([
    [0, 1],
    [1, events.length],
  ]);
  expect(await waiting()).toEqual([]);
});

test('a turn that asks is waiting until it is answered; one that only holds a message is not', async () => {
  const { visitor, turns, waiting } = await agent();
  const session = await visitor.start('refund');
  const [request] = asked(await session.log(1));
  expect(await waiting()).toEqual([0]);
  await session.send({ message: 'well?' });
  await session.log(2);
  expect(await waiting()).toEqual([0]);
  await session.send({ inputResponses: [{ requestId: request!.requestId, optionId: 'approve' }] });
  await session.log(3);
  expect(await waiting()).toEqual([]);
  const all = await turns();
  expect(all.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  expect(all.map(({ outputTokens }) => outputTokens > 0)).toEqual([true, false, true]);
  expect(all.map(({ firstDeltaAt }) => firstDeltaAt !== null)).toEqual([true, false, true]);
});

test('what waits is settled by a conversation that is cleared', async () => {
  const { visitor, waiting } = await agent();
  const session = await visitor.start('refund');
  await session.log(1);
  expect(await waiting()).toEqual([0]);
  await session.control('clear');
  await session.log(2);
  expect(await waiting()).toEqual([]);
});

test('a turn that fails or is cancelled says so, with what it had used', async () => {
  const { visitor, turns } = await agent();
  await (await visitor.start('stumble')).log(1);
  const pondering = await visitor.start('ponder');
  const reader = await pondering.follow();
  await reader.until(({ events }) => events.some(({ type }) => type === 'step.started'));
  await pondering.cancel();
  await reader.boundaries(1);
  reader.close();
  expect(await turns()).toMatchObject([
    { status: 'failed', outputTokens: 2, firstDeltaAt: expect.any(Number) },
    { status: 'cancelled', firstDeltaAt: null },
  ]);
});

test('a turn that begins because a time has come is the agent’s own', async () => {
  const { visitor, turns } = await agent({ approvalExpiresAfterMs: 1_000 });
  await (await visitor.start('refund')).log(2);
  expect((await turns()).map(({ author, status }) => [author, status])).toEqual([
    ['visitor', 'completed'],
    ['agent', 'completed'],
  ]);
});

test('a session that is ended while something waits has nothing that waits', async () => {
  const { visitor, turns } = await agent();
  const session = await visitor.start('refund');
  await session.log(1);
  await session.visitor.post(`/${session.id}/end`, { continuationToken: session.token });
  await session.log(2);
  expect((await turns()).map(({ status }) => status)).toEqual(['cancelled']);
});
