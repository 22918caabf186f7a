import { maxEventBytes } from '@parley/protocol/bounds';
import { flatText } from '@parley/protocol/user-message';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { dataOf, sharedService } from '../testing/visitor.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import type { QueueItemBody } from '../session/queue-item.ts';
import { messageFits } from '../session/message-fits.ts';
import { emptyInput } from '../session/message-input.ts';
import { initialState } from '../session/state/schema.ts';
import { enqueueRequest, logOf, opening } from '../store/contract/samples.ts';
import { testStore } from '../testing/test-store.ts';
import { newAgent } from '../testing/new-agent.ts';

const service = await sharedService();

test('the largest message runs beside answers that come too late', async () => {
  const { visitor } = await service.agent([{ steps: [{ say: 'Heard.' }] }]);
  const text = { type: 'text' as const, text: '\u0001'.repeat(19_500) };
  const mediaType = 'text/plain';
  const addresses = (last: number) => [...Array.from({ length: 12 }, () => 2_000), last].map(address);
  const fits = (last: number) => {
    const files = addresses(last).map((url) => ({ type: 'file' as const, mediaType, url }));
    const parts = files.map(({ url }) => ({
      type: 'file' as const,
      mediaType,
      data: { kind: 'url' as const, url },
    }));
    return messageFits({ text: flatText([text, ...parts]), parts: [text, ...files], fileIds: [] });
  };
  const largest = Array.from({ length: 2_000 }, (_, length) => length).findLast(fits)!;
  expect([largest > 0, fits(1_999)]).toEqual([true, false]);

  const session = await visitor.start('hello');
  await session.log(1);
  const files = addresses(largest).map((data) => ({ type: 'file', mediaType, data }));
  const inputResponses = [{ requestId: 'gone', text: 'late '.repeat(1_000) }];
  expect((await session.send({ message: [text, ...files], inputResponses })).status).toBe(200);
  expect(dataOf(await session.log(2), 'turn.completed')).toHaveLength(2);
});

function address(length: number): string {
  return `https://files.example/${'x'.repeat(length)}`;
}

test('a message of an earlier version that the log cannot take fails, and what came after it runs', async () => {
  const stored = await testStore();
  const store = await stored.open();
  const config = readConfig({ ...stored.environment, PORT: '0' });
  const service = await startService(config, createLogger('silent'), { store });
  onTestFinished(() => service.stop());
  const { agentId } = await newAgent(service, [{ steps: [{ say: 'Heard.' }] }]);
  const { tenantId } = (await store.settings.agents.get(agentId))!;
  const open = { ...opening, tenantId, agentId, state: initialState };
  const lease = { owner: 'earlier', leaseMs: 0 };
  for (const [id, length] of [
    ['large', maxEventBytes],
    ['small', 5],
  ] as const) {
    const text = 'x'.repeat(length);
    const message = { text, parts: [{ type: 'text' as const, text }], fileIds: [] };
    const body: QueueItemBody = { ...emptyInput, kind: 'delivery', message };
    await store.enqueue(enqueueRequest({ open, lease, item: { id, body } }));
  }

  const types = async () => (await logOf(store, 'session_1')).map(({ event }) => event.type);
  await expect.poll(types).toContain('turn.completed');
  expect((await types()).filter((type) => type === 'turn.failed')).toHaveLength(1);
  expect(await store.listQueue('session_1')).toEqual([]);
});
