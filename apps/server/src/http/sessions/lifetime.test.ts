import { consoleHeader } from '@parley/protocol/paths';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type TestService, testService } from '../../testing/test-service.ts';
import { Visitor, said, typesOf } from '../../testing/visitor.ts';

const script = [
  { when: 'slow', steps: [{ say: 'word ', repeat: 3_000, delayMs: 20 }] },
  { steps: [{ say: '{{input}}' }] },
];

/** An agent of its own and somebody with its key. */
async function agent(service: TestService, more: Record<string, unknown> = {}) {
  const { id: tenantId } = (await service.settings('POST', '/tenants', { name: 'Tenant' })).body;
  const model = { provider: 'scripted', script };
  const fields = { tenantId, name: 'Ada', model, ...more };
  const { id: agentId } = (await service.settings('POST', '/agents', fields)).body;
  const key = { tenantId, agentId, kind: 'publishable' };
  const visitor = new Visitor(service.url, (await service.settings('POST', '/keys', key)).body.key);
  return { agentId, visitor };
}

/** The service with time that passes when the test says so, for what it does at intervals. */
async function serviceWithOwnClock(): Promise<TestService> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const service = await testService({}, { clock: () => Date.now() });
  // It stops on real time.
  onTestFinished(() => void vi.useRealTimers());
  return service;
}

test('an idle stream gets a newline every 5 s', async () => {
  const service = await serviceWithOwnClock();
  const { visitor } = await agent(service);
  const session = await visitor.start('hi');
  const reader = await session.follow('?startIndex=100');
  await reader.until(({ text }) => text === '\n');
  vi.advanceTimersByTime(5_000);
  await reader.until(({ text }) => text === '\n\n');
  vi.advanceTimersByTime(5_000);
  await reader.until(({ text }) => text === '\n\n\n');
  vi.advanceTimersByTime(3_000);
  await session.control(`${session.id}/end`);
  await reader.rest();
  expect(reader.text).toBe('\n\n\n');
});

test('a session is completed after retentionDays without activity, and with a draft gone after a day', async () => {
  const service = await serviceWithOwnClock();
  const { agentId, visitor } = await agent(service, { retentionDays: 2 });
  const withDrafts = () => service.stored.sql("SELECT id FROM sessions WHERE agent_id LIKE '%.draft'");
  const preview = await previewOf(service, agentId);
  await (await preview.start('hi')).log(1);
  expect(await withDrafts()).toHaveLength(1);
  const idle = await visitor.start('idle');
  const active = await visitor.start('active');
  const reader = await idle.follow('?soFar=0');
  await reader.boundaries(1);
  await active.log(1);
  vi.setSystemTime(Date.now() + 36 * 3_600_000);
  await active.send({ message: 'again' });
  await active.log(2);
  vi.setSystemTime(Date.now() + 14 * 3_600_000);
  vi.advanceTimersByTime(3_600_000);
  expect(typesOf(await reader.rest()).slice(-2)).toEqual(['session.waiting', 'session.completed']);
  expect((await idle.send({ message: 'x' })).body.code).toBe('SESSION_NOT_RESUMABLE');
  expect((await active.send({ message: 'still' })).status).toBe(200);
  expect(said(await active.log(3))).toEqual(['active', 'again', 'still']);
  vi.setSystemTime(Date.now() + 49 * 3_600_000);
  // A sweep that finds the last one at work leaves it to the next.
  const sweep = async () => {
    vi.advanceTimersByTime(3_600_000);
    return (await idle.follow()).response.status;
  };
  await expect.poll(sweep).toBe(404);
  expect(await withDrafts()).toEqual([]);
});

/** A member who speaks to the draft. */
async function previewOf(service: TestService, agentId: string): Promise<Visitor> {
  const { token } = (await service.settings('POST', '/invitations', { role: 'agent', tenantId: null })).body;
  const headers = { [consoleHeader]: '1', 'content-type': 'application/json' };
  const joined = await service.call('/api/v1/settings/invitations/accept', {
    method: 'POST',
    headers,
    body: JSON.stringify({ token, name: 'Ada', password: 'correct horse battery' }),
  });
  const cookie = joined.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const opened = await service.call(`/api/v1/settings/agents/${agentId}/preview`, {
    method: 'POST',
    headers: { ...headers, cookie },
  });
  const visitor = new Visitor(service.url, opened.body.key);
  visitor.headers['origin'] = service.url;
  return visitor;
}

test('an agent or a session that cannot be read does not keep the sweep from the others', async () => {
  const service = await serviceWithOwnClock();
  const unreadable = await agent(service);
  const { visitor } = await agent(service, { retentionDays: 2 });
  const broken = await visitor.start('broken');
  await broken.log(1);
  const idle = await visitor.start('idle');
  const reader = await idle.follow();
  await reader.boundaries(1);
  await service.stored.sql(`UPDATE agents SET config = '{}' WHERE id = ?`, unreadable.agentId);
  await service.stored.sql(`UPDATE sessions SET state = '{' WHERE id = ?`, broken.id);
  vi.setSystemTime(Date.now() + 49 * 3_600_000);
  vi.advanceTimersByTime(3_600_000);
  expect(typesOf(await reader.rest()).at(-1)).toBe('session.completed');
  // Which of the two agents and sessions comes first in a sweep, their ids say.
  for (const told of [unreadable.agentId, 'a session could not be ended'])
    await expect.poll(() => service.log.join('')).toContain(told);
});

test('what a removal that was interrupted has left is erased by the next sweep', async () => {
  const service = await serviceWithOwnClock();
  const { visitor } = await agent(service);
  const session = await visitor.start('hello');
  await session.log(1);
  // As a statement that fails leaves it once the session is hidden.
  await service.stored.sql(
    `
    UPDATE sessions SET id = 'removed ' || key, status = 'removed', tenant_id = '', agent_id = '', visitor = NULL,
      owner = NULL WHERE id = ?`,
    session.id,
  );
  vi.advanceTimersByTime(3_600_000);
  await expect.poll(() => service.stored.sql('SELECT session FROM events')).toEqual([]);
  await expect.poll(() => service.stored.sql('SELECT key FROM sessions')).toEqual([]);
});

test('deleting an agent cancels what runs and completes its sessions', async () => {
  const service = await testService();
  const { visitor, agentId } = await agent(service);
  const session = await visitor.start('slow');
  const reader = await session.follow('?soFar=0');
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  expect((await service.settings('DELETE', `/agents/${agentId}`)).status).toBe(204);
  expect(typesOf(await reader.rest()).slice(-3)).toEqual([
    'turn.cancelled',
    'session.waiting',
    'session.completed',
  ]);
});

test('stopping the service ends every stream with whole lines', async () => {
  const service = await testService();
  const { visitor } = await agent(service);
  const session = await visitor.start('hi');
  const reader = await session.follow();
  await reader.boundaries(1);
  await service.stop();
  await reader.rest();
  expect(reader.text.endsWith('}\n')).toBe(true);
  expect(typesOf(reader.events).at(-1)).toBe('session.waiting');
});

test('a turn that cannot begin fails, and those behind it get their turn', async () => {
  const first = await testService();
  const { visitor, agentId } = await agent(first);
  const tool = {
    agentId,
    kind: 'http',
    name: 'look',
    description: 'Looks.',
    parameters: { type: 'object' },
    request: { method: 'GET', url: 'https://tools.example/', headers: { 'x-key': 'canary' } },
  };
  const { id } = (await first.settings('POST', '/tools', tool)).body;
  await first.stop();

  await first.stored.sql(`UPDATE tools SET secrets = 'unreadable' WHERE id = ?`, id);
  const service = await testService({}, { stored: first.stored });
  const session = await new Visitor(service.url, visitor.headers['authorization']!.slice(7)).start('one');
  const failed = await session.log(1);
  expect(typesOf(failed)).toEqual(['session.started', 'turn.started', 'turn.failed', 'session.waiting']);
  await session.control('clear');
  await session.log(2);
  await service.settings('DELETE', `/tools/${id}`);
  await session.send({ message: 'two' });
  expect(said(await session.log(3))).toEqual(['two']);
});
