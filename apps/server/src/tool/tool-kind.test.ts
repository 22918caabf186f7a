import type { ToolSettings } from '@parley/protocol/settings/tool';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createSecrets } from '../crypto/secrets.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { recordOf } from '../settings/tool.ts';
import { testStore } from '../testing/test-store.ts';
import { newAgent } from '../testing/new-agent.ts';
import { request } from '../testing/test-service.ts';
import { Visitor, said } from '../testing/visitor.ts';
import { toolSources } from './create-tool-registry.ts';
import { ToolRegistry } from './registry.ts';
import { type CounterConnection, type CounterSettings, counterSource } from './testing/counter-source.ts';

const base = 's'.repeat(40);
const script = [{ steps: [{ call: 'count', input: {} }, { say: '{{result}}' }] }];

/** A service whose list of kinds has one more, and an agent with a tool of it. */
async function counting() {
  const connections: CounterConnection[] = [];
  const counter = counterSource(connections);
  const stored = await testStore();
  const store = await stored.open();
  const config = readConfig({ ...stored.environment, PORT: '0', SECRET_KEY_BASE: base });
  const service = await startService(config, createLogger('silent'), {
    store,
    createToolRegistry: (deps, logger) => new ToolRegistry([...toolSources(deps), counter], logger),
  });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  onTestFinished(stop);
  const { agentId, key } = await newAgent(service, script);
  const tenantId = (await store.settings.agents.get(agentId))?.tenantId ?? '';
  const createdAt = new Date().toISOString();
  const settings: CounterSettings = {
    id: 'tool_count',
    agentId,
    kind: 'counter',
    name: 'count',
    createdAt,
    start: 6,
    password: 'canary-password',
  };
  const record = recordOf(settings as unknown as ToolSettings, tenantId, {
    toolRegistry: new ToolRegistry([counter], createLogger('silent')),
    secrets: createSecrets([base]),
  });
  await store.settings.tools.insert(record);
  const administer = (method: string, at: string, body?: unknown) =>
    request(`${service.url}/api/v1/settings/tools/tool_count${at}`, {
      method,
      headers: {
        authorization: `Bearer ${service.adminToken.value}`,
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const visitor = new Visitor(service.url, key);
  const session = await visitor.start('go');
  return { connections, record, administer, session, visitor, stop };
}

test('a kind of tool is what its source says, from the settings API to the model', async () => {
  const { record, administer, session } = await counting();
  expect(said(await session.log(1)).at(-1)).toBe('7');
  expect(JSON.stringify(record)).not.toContain('canary');
  const shown = await administer('GET', '');
  expect(shown.body).toMatchObject({ kind: 'counter', start: 6, password: '…' });
  expect((await administer('POST', '/test', { input: { by: 3 } })).body).toMatchObject({
    status: 'completed',
    output: 9,
  });
  const refused = await administer('POST', '/test', { input: {} });
  expect(refused.status).toBe(400);
  expect(refused.body.issues).toEqual([{ path: ['input', 'by'], message: 'Expected a number.' }]);
});

test('tools are loaded once for as long as the settings stay, and closed when they change or the process stops', async () => {
  const { connections, administer, session, visitor, stop } = await counting();
  expect(said(await session.log(1)).at(-1)).toBe('7');
  await session.send({ message: 'again' });
  expect(said(await session.log(2)).at(-1)).toBe('8');
  expect(connections).toEqual([{ password: 'canary-password', closed: false }]);

  expect((await administer('PATCH', '', { name: 'tally' })).status).toBe(200);
  await expect.poll(() => connections.map(({ closed }) => closed)).toEqual([true]);
  const renamed = await visitor.start('go');
  expect(said(await renamed.log(1)).at(-1)).toBe('I cannot use count here.');
  expect(connections.map(({ closed }) => closed)).toEqual([true, false]);

  await stop();
  expect(connections.map(({ closed }) => closed)).toEqual([true, true]);
});
