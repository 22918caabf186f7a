import { PassThrough } from 'node:stream';
import type { InboxChange } from '@parley/protocol/settings/inbox';
import type { Response } from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LocalBus } from '../../bus/local-bus.ts';
import { createLogger } from '../../logger.ts';
import { testStore } from '../../testing/test-store.ts';
import { InboxStreams } from './inbox-streams.ts';

test('an agent that was made while the bus was away is followed by the lists that are open, after the gap', async () => {
  const store = await (await testStore()).open();
  const { tenants, agents } = store.settings;
  const whole = vi.spyOn(agents, 'list');
  const createdAt = new Date().toISOString();
  const make = (id: string, tenantId: string) =>
    agents.insert({
      id,
      tenantId,
      name: id,
      active: true,
      config: {},
      credentials: null,
      revision: 1,
      createdAt,
    });
  for (const id of ['tenant_1', 'tenant_2']) await tenants.insert({ id, name: id, createdAt });
  await make('agent_1', 'tenant_1');
  const bus = new LocalBus((error) => expect.fail(String(error)));
  const streams = new InboxStreams({
    store,
    stored: store.settings,
    bus,
    heartbeat: { join: () => () => undefined },
    logger: createLogger('silent'),
  });
  onTestFinished(() => streams.endAll());
  const open = (tenantId: string, agentIds: readonly string[], isWhole = true) => {
    const response = Object.assign(new PassThrough(), { setHeader: () => response });
    let text = '';
    response.on('data', (chunk) => (text += String(chunk)));
    const scope = { tenantId, agents: agentIds.map((id) => ({ id, name: id })), isWhole };
    streams.open(response as unknown as Response, { kind: 'admin' }, scope);
    return () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as InboxChange);
  };
  const list = open('tenant_1', ['agent_1']);
  const named = open('tenant_1', ['agent_1'], false);
  const elsewhere = open('tenant_2', []);
  await make('agent_2', 'tenant_1');
  bus.announceGap();
  const missed = { type: 'missed' };
  // For the gap, and for the agent, to which somebody may have written before it was found.
  await expect.poll(list).toEqual([missed, missed]);
  for (const [id, removedFrom] of [
    ['session_2', 'agent_2'],
    ['session_1', 'agent_1'],
  ] as const)
    bus.publish({ topic: 'threadChanged', sessionId: id, removedFrom });
  const gone = (id: string) => ({ type: 'removed', id });
  await expect.poll(list).toEqual([missed, missed, gone('session_2'), gone('session_1')]);
  expect(named()).toEqual([missed, gone('session_1')]);
  expect(elsewhere()).toEqual([missed]);
  expect(whole).not.toHaveBeenCalled();
});
