import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { measuredService } from '../testing/measured-service.ts';
import { newAgent } from '../testing/new-agent.ts';
import { request } from '../testing/test-service.ts';
import { testStore } from '../testing/test-store.ts';
import { dataOf, Visitor } from '../testing/visitor.ts';

test('what was said before the process died keeps the sources that it cites', async () => {
  const stored = await testStore();
  const first = await measuredService(stored.environment);
  onTestFinished(() => first.kill());
  const { agentId, key } = await newAgent(
    { url: first.url, adminToken: { value: first.adminToken, made: false } },
    [
      {
        steps: [
          { call: 'search_knowledge', input: { query: 'milk' } },
          { say: 'Milk is white [1], and' },
          { wait: 60_000 },
          { say: ' more.' },
        ],
      },
    ],
  );
  const source = { agentId, kind: 'text', name: 'Milk', text: 'Milk is white.', url: 'https://a.example/' };
  const { status } = await request(`${first.url}/api/v1/settings/sources`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(source),
  });
  expect(status).toBe(201);
  const { id } = await new Visitor(first.url, key).start('What colour is it?');
  const reader = await new Visitor(first.url, key).follow(id);
  await reader.until(({ events }) =>
    dataOf(events, 'message.appended').some(({ messageDelta }) => messageDelta.includes('and')),
  );
  await first.kill();

  const config = readConfig({ ...stored.environment, PORT: '0' });
  const second = await startService(config, createLogger('silent'));
  onTestFinished(() => second.stop());
  const after = await new Visitor(second.url, key).follow(id);
  const cut = (events: typeof after.events) =>
    dataOf(events, 'message.completed').find(({ message }) => message?.startsWith('Milk'));
  await after.until(({ events }) => cut(events) !== undefined);
  expect(cut(after.events)).toMatchObject({
    message: 'Milk is white [1], and',
    sources: [{ number: 1, title: 'Milk', url: 'https://a.example/' }],
  });
  after.close();
  // What the model waits for would hold up the stop.
  expect((await new Visitor(second.url, key).post(`/${id}/cancel`, '')).status).toBe(202);
});
