import { agentViewSchema } from '@parley/protocol/settings/agent';
import { expect, onTestFinished, test } from 'vitest';
import { codeOf, setUpApp } from '../../testing/authenticator-app.ts';
import { consoleBrowser, consolePassword, invited } from '../../testing/console-browser.ts';
import { type TestService, testService } from '../../testing/test-service.ts';
import { testStore } from '../../testing/test-store.ts';
import { openToolEndpoint } from '../../testing/tool-endpoint.ts';
import { Visitor, said } from '../../testing/visitor.ts';

const first = 'a'.repeat(40);
const second = 'b'.repeat(40);
const identity = { secret: 'i'.repeat(32) };

/** A database whose services come one after the other, each under its own bases. */
async function database() {
  const stored = await testStore();
  return {
    start: (...bases: string[]) =>
      testService({ SECRET_KEY_BASE: bases.join(), EGRESS_ALLOW: '127.0.0.0/8' }, { stored }),
    sql: stored.sql,
  };
}

async function agentOf(service: TestService, name: string, more: object = {}) {
  const { id: tenantId } = (await service.settings('POST', '/tenants', { name })).body;
  const model = { provider: 'scripted', script: [{ steps: [{ say: '{{input}}' }] }] };
  const { id } = (await service.settings('POST', '/agents', { tenantId, name, model, identity, ...more }))
    .body;
  const key = { tenantId, agentId: id, kind: 'publishable' };
  return { tenantId, id, key: String((await service.settings('POST', '/keys', key)).body.key) };
}

async function toolOf(service: TestService, agentId: string, url: string) {
  const tool = {
    agentId,
    kind: 'http',
    name: 'look',
    description: 'Looks.',
    parameters: { type: 'object' },
    request: { method: 'GET', url, headers: { 'x-key': 'canary-value' } },
  };
  return String((await service.settings('POST', '/tools', tool)).body.id);
}

test('after a rotation everything is encrypted again, and the old base may go', async () => {
  const endpoint = await openToolEndpoint();
  onTestFinished(() => endpoint.close());
  const { start } = await database();
  const before = await start(first);
  const openai = { provider: 'openai', model: 'gpt', apiKey: 'canary-credential-1234' };
  const { id, tenantId } = await agentOf(before, 'Ada', { model: openai });
  const toolId = await toolOf(before, id, `${endpoint.url}/look`);
  const webhook = { tenantId, name: 'CRM', url: `${endpoint.url}/told`, events: ['message'] };
  const webhookId = (await before.settings('POST', '/webhooks', webhook)).body.id;
  await before.settings('PATCH', `/agents/${id}/draft`, {
    model: { ...openai, apiKey: 'canary-drafted-5678' },
  });
  const app = await setUpApp(await invited(before, { name: 'Grace', role: 'viewer' }));
  await before.stop();
  await (await start(second, first)).stop();

  const after = await start(second);
  expect((await after.settings('GET', `/agents/${id}`)).body).toMatchObject({
    model: { apiKey: { set: true, last4: '1234' } },
    identity: { secret: { set: true } },
  });
  expect((await after.settings('GET', `/agents/${id}/draft`)).body.agent).toMatchObject({
    model: { apiKey: { set: true, last4: '5678' } },
  });
  const grace = { name: 'Grace', password: consolePassword, code: codeOf(app.secret, 1) };
  expect((await consoleBrowser(after)('POST', '/session', grace)).status).toBe(200);
  const tested = await after.settings('POST', `/tools/${toolId}/test`, {});
  expect(tested.body).toMatchObject({ status: 'completed' });
  expect(endpoint.calls[0]?.headers['x-key']).toBe('canary-value');
  const signed = await after.settings('POST', `/webhooks/${webhookId}/test`);
  expect(signed.body).toMatchObject({ status: 'delivered' });
});

test('a start with something encrypted under a base that is not listed is refused, and changes nothing', async () => {
  const { start, sql } = await database();
  const before = await start(first);
  const ada = await agentOf(before, 'Ada');
  const ben = await agentOf(before, 'Ben');
  await before.stop();
  const encrypted = 'SELECT credentials FROM agents ORDER BY id';
  const [old] = await sql('SELECT credentials FROM agents WHERE id = ?', ben.id);
  await (await start(second, first)).stop();
  // What a record looks like that came back from a backup.
  await sql('UPDATE agents SET credentials = ? WHERE id = ?', String(old?.['credentials']), ben.id);
  const stored = await sql(encrypted);

  for (const bases of [[second], ['c'.repeat(40), second]]) {
    const refused = start(...bases);
    await expect(refused).rejects.toThrow(/^SECRET_KEY_BASE: .* not listed/);
    await expect(refused).rejects.toThrow(ben.id);
    expect(await sql(encrypted)).toEqual(stored);
  }
  const after = await start(second, first);
  for (const { id } of [ada, ben])
    expect((await after.settings('GET', `/agents/${id}`)).body.identity).toMatchObject({
      secret: { set: true },
    });
});

test('a bad record takes no list, no start and nobody else down with it', async () => {
  const { start, sql } = await database();
  const before = await start(first);
  const good = await agentOf(before, 'Good');
  const noJson = await agentOf(before, 'No JSON');
  const noModel = await agentOf(before, 'No model');
  const unsealed = await agentOf(before, 'Unsealed');
  const tools = [
    await toolOf(before, good.id, 'https://tools.example/'),
    await toolOf(before, noJson.id, 'https://tools.example/'),
  ];
  await before.stop();
  await sql(`UPDATE agents SET config = '{"canary' WHERE id = ?`, noJson.id);
  await sql(`UPDATE agents SET config = '{}' WHERE id = ?`, noModel.id);
  await sql(
    `UPDATE agents SET credentials = substr(credentials, 1, length(credentials) - 4) || 'AAAA' WHERE id = ?`,
    unsealed.id,
  );
  await sql(`UPDATE tools SET secrets = 'canary' WHERE id = ?`, tools[1]!);
  await sql(`UPDATE keys SET allowed_origins = 'canary' WHERE agent_id = ?`, noModel.id);

  const after = await start(second, first);
  const list = async (path: string) => (await after.settings('GET', path)).body.items;
  const unreadable = (id: string) => ({ id, unreadable: true });
  const [shown, ...others] = await list('/agents');
  expect(agentViewSchema.parse(shown)).toMatchObject({ id: good.id, identity: { secret: { set: true } } });
  expect(others).toEqual([noJson, noModel, unsealed].map(({ id }) => unreadable(id)));
  expect(await list('/tools')).toEqual([expect.objectContaining({ id: tools[0] }), unreadable(tools[1]!)]);
  expect(await list('/keys')).toHaveLength(4);
  for (const { id } of [noJson, noModel, unsealed]) {
    const answer = await after.settings('GET', `/agents/${id}`);
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 'INTERNAL', error: expect.stringContaining(id) },
    });
    expect((await after.settings('PATCH', `/agents/${id}`, { name: 'X' })).status).toBe(500);
  }
  for (const id of [unsealed.id, tools[1]!]) expect(after.log.join('')).toContain(id);

  const visitor = new Visitor(after.url, good.key);
  expect(said(await (await visitor.start('Hello')).log(1))).toEqual(['Hello']);
  const refused = await new Visitor(after.url, noModel.key).post('', { message: 'Hello' });
  expect(refused.body).toMatchObject({ code: 'INTERNAL', error: 'Something went wrong.' });
  expect(after.log.join('')).toContain(noModel.id);

  expect((await after.settings('DELETE', `/agents/${noJson.id}`)).status).toBe(204);
  expect(await list('/agents')).toHaveLength(3);
});
