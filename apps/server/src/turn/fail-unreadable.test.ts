import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { newEvent } from '../events/new-event.ts';
import type { QueueItemBody } from '../session/queue-item.ts';
import { emptyInput } from '../session/message-input.ts';
import { enqueueRequest, logOf } from '../store/contract/samples.ts';
import { testStore } from '../testing/test-store.ts';
import { newAgent } from '../testing/new-agent.ts';
import { turnAt } from './context.ts';
import { Visitor, dataOf, said, typesOf } from '../testing/visitor.ts';

const message = { text: 'again', parts: [{ type: 'text' as const, text: 'again' }], fileIds: [] };
const item: QueueItemBody = { ...emptyInput, kind: 'delivery', message };

test('a session whose state cannot be read has its turns failed, once, and holds up nobody', async () => {
  const stored = await testStore();
  const log: string[] = [];
  const start = async () => {
    const store = await stored.open();
    const config = readConfig({ ...stored.environment, PORT: '0' });
    const logger = createLogger('error', { write: (line) => void log.push(line) });
    const service = await startService(config, logger, { store });
    onTestFinished(() => service.stop());
    return { store, service };
  };
  const first = await start();
  const { key } = await newAgent(first.service, [{ steps: [{ say: 'Heard {{input}}.' }] }]);
  const visitor = new Visitor(first.service.url, key);
  const [broken, whole] = [await visitor.start('hello'), await visitor.start('hello')];
  await Promise.all([broken.log(1), whole.log(1)]);
  await first.service.stop();
  // Accepted by a process that died, of the broken one after it had begun a turn of its own.
  const dead = await stored.open();
  const lease = { owner: 'dead', leaseMs: 0 };
  for (const { id } of [broken, whole]) {
    const accepted = await dead.enqueue(
      enqueueRequest({ sessionId: id, item: { id: `item of ${id}`, body: item }, lease }),
    );
    if (accepted.outcome !== 'accepted' || !accepted.leased) throw new Error(accepted.outcome);
    if (id === whole.id) continue;
    const begun = newEvent('turn.started', turnAt(1), { itemId: 'earlier item' });
    await dead.commit(accepted.leased.lease, { events: [begun] });
  }
  await dead.close();
  await stored.sql(`UPDATE sessions SET state = '{"version":99}' WHERE id = ?`, broken.id);

  const { store, service } = await start();
  const again = new Visitor(service.url, key);
  const reader = await again.follow(broken.id);
  const events = await reader.boundaries(3);
  reader.close();
  const ended = ['turn.failed', 'session.waiting'];
  expect(typesOf(events.slice(-6))).toEqual(['turn.started', ...ended, 'turn.started', ...ended]);
  expect(dataOf(events, 'turn.started').map(({ turnId }) => turnId)).toEqual(['turn_0', 'turn_1', 'turn_2']);
  expect(dataOf(events, 'turn.failed')).toMatchObject([
    { turnId: 'turn_1', code: 'INTERNAL' },
    { turnId: 'turn_2', code: 'INTERNAL' },
  ]);
  const follower = await again.follow(whole.id);
  expect(said(await follower.boundaries(2))).toEqual(['Heard hello.', 'Heard again.']);
  follower.close();

  await expect.poll(() => store.listQueue(broken.id)).toEqual([]);
  await expect.poll(() => store.listRunnable({ owner: 'nobody', limit: 9 })).toEqual([]);
  const more = await again.post(`/${broken.id}`, { continuationToken: broken.token, message: 'more' });
  expect([more.status, more.body.code]).toEqual([500, 'INTERNAL']);
  expect(await logOf(store, broken.id)).toHaveLength(events.length);
  expect(log.join('')).toContain('UnreadableStateError');
});
