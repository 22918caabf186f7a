import { maxEventBytes } from '@parley/protocol/bounds';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { Visitor, asked, dataOf, said } from '../testing/visitor.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { emptyInput } from '../session/message-input.ts';
import { testStore } from '../testing/test-store.ts';
import type { Store } from '../store/store.ts';
import { newAgent } from '../testing/new-agent.ts';

const options = [{ id: 'a', label: 'Alpha' }];
const script = [
  { when: 'ask', steps: [{ ask: { prompt: 'Which?', options } }, { say: 'Got {{result}}.' }] },
  { steps: [{ say: 'Heard.' }] },
];

test('thousands of answers that an earlier version left in the queue are looked up in one pass', async () => {
  const stored = await testStore();
  const reads = { pages: 0, lookups: 0 };
  const start = async () => {
    const plain = await stored.open();
    const store: Store = {
      ...plain,
      readEvents: (...page) => {
        reads.pages += 1;
        return plain.readEvents(...page);
      },
      listInputRequests: (...page) => {
        reads.lookups += 1;
        return plain.listInputRequests(...page);
      },
    };
    const config = readConfig({ ...stored.environment, PORT: '0' });
    return { plain, service: await startService(config, createLogger('silent'), { store }) };
  };
  const first = await start();
  const { key } = await newAgent(first.service, script);
  const session = await new Visitor(first.service.url, key).start('ask');
  const [question] = asked(await session.log(1));
  await session.send({ message: 'never mind' });
  await session.log(2);
  await first.service.stop();

  const store = await stored.open();
  const responses = Array.from({ length: 8_000 }, (_, index) => ({
    requestId: index === 0 ? question!.requestId : `request-${index}`,
    optionId: index === 0 ? 'a' : `option-${index}`,
  }));
  await store.enqueue({
    sessionId: session.id,
    item: { id: 'item', body: { ...emptyInput, kind: 'delivery', message: null, responses } },
    files: null,
    maxQueued: 10,
    rateLimits: [],
    quotas: [],
    idempotency: null,
    lease: { owner: 'gone', leaseMs: 0 },
  });
  await store.close();

  reads.pages = 0;
  const { service } = await start();
  onTestFinished(() => service.stop());
  const reader = await new Visitor(service.url, key).follow(session.id);
  const events = await reader.boundaries(3);
  reader.close();
  expect(reads.lookups).toBeLessThan(20);
  expect(reads.pages).toBeLessThan(100);
  const stale = dataOf(events, 'message.received').at(-1);
  expect(stale?.message).toMatch(/^Alpha\noption-1\n.*\noption-31$/s);
  expect(said(events).at(-1)).toBe('Heard.');
  for (const event of events) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(maxEventBytes);
});
