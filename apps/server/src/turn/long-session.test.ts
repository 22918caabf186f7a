import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { testStore } from '../testing/test-store.ts';
import type { Store } from '../store/store.ts';
import { request } from '../testing/test-service.ts';

/** Of one key, as fast as a key may go. */
const turnsPerKey = 55;

test('a turn reads what no summary stands for, and the state stays small, however long the conversation', async () => {
  const stored = await testStore();
  const plain = await stored.open();
  const read: number[] = [];
  const states: number[] = [];
  const store: Store = {
    ...plain,
    async readHistory(sessionId, query) {
      const page = await plain.readHistory(sessionId, query);
      read.push(page.entries.length);
      return page;
    },
    commit(lease, commit) {
      if (commit.state) states.push(JSON.stringify(commit.state).length);
      return plain.commit(lease, commit);
    },
  };
  const config = readConfig({ ...stored.environment, PORT: '0' });
  const service = await startService(config, createLogger('silent'), { store });
  onTestFinished(() => service.stop());
  const post = async (path: string, key: string, body: unknown) => {
    const answer = await request(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const settings = (path: string, body: unknown) =>
    post(`/api/v1/settings${path}`, service.adminToken.value, body);
  const { id: tenantId } = await settings('/tenants', { name: 'Tenant' });
  const { id: agentId } = await settings('/agents', {
    tenantId,
    name: 'Agent',
    model: { provider: 'scripted', script: [{ steps: [{ say: 'word ', repeat: 100 }] }] },
  });
  const say = async (turns: number) => {
    let key = '';
    for (let turn = 0; turn < turns; turn += 1) {
      if (turn % turnsPerKey === 0)
        ({ key } = await settings('/keys', { tenantId, agentId, kind: 'secret' }));
      const id = `${read.length}-${'x'.repeat(100)}`;
      const message = { id, role: 'user', parts: [{ type: 'text', text: 'word '.repeat(100) }] };
      await post('/api/v1/agent/chat', key, { id: 'conversation', message });
    }
  };

  // Nothing is summarised yet: of 130 messages the state names 100.
  await say(130);
  expect(read.at(-1)).toBe(129 * 2);
  expect(Math.max(...states)).toBeLessThan(16_000);

  await request(`${service.url}/api/v1/settings/agents/${agentId}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${service.adminToken.value}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ contextTokens: 3_000 }),
  });
  await say(30);
  read.length = states.length = 0;
  await say(50);
  // The window takes 9 turns.
  expect(Math.max(...read)).toBeLessThanOrEqual(20);
  expect(read).toHaveLength(50);
  expect(Math.max(...states)).toBeLessThan(8_000);
});
