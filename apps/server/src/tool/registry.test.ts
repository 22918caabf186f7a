import type { ToolSettings } from '@parley/protocol/settings/tool';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../logger.ts';
import { ToolRegistry, type ToolOwner } from './registry.ts';
import { type CounterConnection, counterSource } from './testing/counter-source.ts';
import type { AnyToolSource, ToolSession } from './source.ts';

afterEach(() => vi.useRealTimers());

const session: ToolSession = { interface: 'sessions', canRequestInput: true, clientTools: [] };

/** An agent with one counter. */
function owner(password: string, agentId = 'agent_1'): ToolOwner {
  const createdAt = '2026-01-01T00:00:00.000Z';
  const counter = {
    id: `tool_of_${agentId}`,
    agentId,
    kind: 'counter',
    name: 'count',
    createdAt,
    start: 0,
    password,
  };
  return {
    agent: {
      id: agentId,
      tenantId: 'tenant_1',
      visitorSecret: null,
      serviceUrl: 'https://service.example',
      connections: [],
      contacts: 'none',
      mayAskTeam: false,
    },
    settings: [counter as unknown as ToolSettings],
  };
}

function registryOf(...more: readonly AnyToolSource[]) {
  const connections: CounterConnection[] = [];
  const registry = new ToolRegistry([counterSource(connections), ...more], createLogger('silent'));
  onTestFinished(() => registry.close());
  const closed = () => connections.filter((connection) => connection.closed).map(({ password }) => password);
  return { registry, connections, closed };
}

test('turns at once share what is loaded, and a set of tools is made once', async () => {
  const { registry, connections } = registryOf();
  const [one, other] = await Promise.all([registry.hold(owner('a')), registry.hold(owner('a'))]);
  expect(connections).toHaveLength(1);
  const { offered, tools } = one.tools.forSession(session);
  expect([...tools.keys()]).toEqual(['count']);
  expect(other.tools.forSession({ ...session, clientTools: [] }).offered).toBe(offered);
  expect(one.tools.forSession({ ...session, interface: 'chat' }).offered).not.toBe(offered);
});

test('a turn that began before a change keeps its tools until it is over', async () => {
  const { registry, closed } = registryOf();
  const [before, beside] = await Promise.all([registry.hold(owner('old')), registry.hold(owner('old'))]);
  const after = await registry.hold(owner('new'));
  before.release();
  before.release();
  expect(closed()).toEqual([]);
  beside.release();
  await expect.poll(() => closed()).toEqual(['old']);
  after.release();
  await registry.close();
  expect(closed()).toEqual(['old', 'new']);
});

test('what was loaded from a record that changed is closed, and of no other', async () => {
  const { registry, closed } = registryOf();
  for (const agentId of ['agent_1', 'agent_2']) {
    const held = await registry.hold(owner(agentId, agentId));
    held.release();
  }
  registry.forget('agent_of_nobody');
  registry.forget('agent_2');
  await expect.poll(() => closed()).toEqual(['agent_2']);
  registry.forget('tool_of_agent_1');
  await expect.poll(() => closed()).toEqual(['agent_1', 'agent_2']);
});

test('an agent whose tools cannot be loaded is tried again, and nothing of the first try stays open', async () => {
  let broken = true;
  const flaky: AnyToolSource = {
    load: () =>
      broken
        ? Promise.reject(new Error('broken'))
        : Promise.resolve({ forSession: () => [], close: () => Promise.resolve() }),
  };
  const { registry, connections, closed } = registryOf(flaky);
  await expect(registry.hold(owner('first'))).rejects.toThrow('broken');
  await expect.poll(() => closed()).toEqual(['first']);
  broken = false;
  await registry.hold(owner('first'));
  expect(connections.map((connection) => connection.closed)).toEqual([true, false]);
});

test('tools that nobody has used for minutes are closed, those of a long turn are not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const { registry, closed } = registryOf();
  await registry.hold(owner('used', 'agent_1'));
  const idle = await registry.hold(owner('idle', 'agent_2'));
  idle.release();
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(closed()).toEqual(['idle']);
});

test('of a thousand agents the one that was used longest ago gives way', async () => {
  const { registry, closed } = registryOf();
  for (let agent = 0; agent < 1_000; agent += 1) {
    const held = await registry.hold(owner(`p${agent}`, `agent_${agent}`));
    held.release();
  }
  await registry.hold(owner('p0', 'agent_0'));
  expect(closed()).toEqual([]);
  await registry.hold(owner('one more', 'agent_more'));
  await expect.poll(() => closed()).toEqual(['p1']);
});

test('a kind that there is not is an error', () => {
  expect(() => registryOf().registry.configured('mcp')).toThrow('no tool of the kind mcp');
});
