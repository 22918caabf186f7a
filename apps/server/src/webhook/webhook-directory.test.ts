import { expect, onTestFinished, test, vi } from 'vitest';
import { LocalBus } from '../bus/local-bus.ts';
import { createLogger } from '../logger.ts';
import { seed } from '../store/contract/settings.ts';
import { testStore } from '../testing/test-store.ts';
import { retryMs, WebhookDirectory } from './webhook-directory.ts';

test('what a process is told of one webhook it reads of that one, and what many ask for at once it reads once', async () => {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  await seed(store);
  const { webhooks } = store.settings;
  const bus = new LocalBus((error) => {
    throw error;
  });
  const logger = createLogger('silent');
  const directory = new WebhookDirectory({ webhooks, bus, logger });
  onTestFinished(() => directory.close());
  const told = () => directory.listening('tenant_1', 'agent_1', 'message');
  const list = vi.spyOn(webhooks, 'list');
  onTestFinished(() => list.mockRestore());

  await Promise.all(Array.from({ length: 9 }, () => directory.load()));
  expect([told(), list.mock.calls.length]).toEqual([['webhook_1'], 1]);

  const changed = { topic: 'settingsChanged', kind: 'webhook', id: 'webhook_1', tenantId: null } as const;
  await webhooks.update('webhook_1', { active: false });
  bus.publish(changed);
  await expect.poll(told).toEqual([]);
  expect(directory.isEmpty).toBe(true);
  await webhooks.update('webhook_1', { active: true });
  bus.publish(changed);
  await expect.poll(told).toEqual(['webhook_1']);

  // What could not be read is not forgotten: it is tried again soon.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await webhooks.update('webhook_1', { active: false });
  vi.spyOn(webhooks, 'get').mockRejectedValueOnce(new Error('The database is away.'));
  await expect(directory.load('webhook_1')).rejects.toThrow();
  expect(told()).toEqual(['webhook_1']);
  await vi.advanceTimersByTimeAsync(retryMs);
  vi.useRealTimers();
  await expect.poll(told).toEqual([]);
  await webhooks.update('webhook_1', { active: true });
  await directory.load('webhook_1');

  await webhooks.remove('webhook_1');
  bus.publish(changed);
  await expect.poll(told).toEqual([]);
  expect(list.mock.calls.length).toBe(1);
});
