import { createServer } from 'node:http';
import { agentViewSchema } from '@parley/protocol/settings/agent';
import { keyViewSchema } from '@parley/protocol/settings/key';
import { defaultPipeline } from '@parley/protocol/settings/pipeline';
import { toolViewSchema } from '@parley/protocol/settings/tool';
import { expect, onTestFinished, test } from 'vitest';
import { provision, testService } from '../../testing/test-service.ts';

const openai = { provider: 'openai', model: 'gpt', apiKey: 'canary-credential-1234' };
const hosted = { provider: 'openai', model: 'gpt', apiKey: { set: true, last4: '1234' } };

test('a tenant is created, read, renamed, listed and deleted with all it owns', async () => {
  const service = await testService();
  const { tenantId, agentId } = await provision(service);
  const key = await service.settings('POST', '/keys', { tenantId, agentId, kind: 'secret' });
  const renamed = await service.settings('PATCH', `/tenants/${tenantId}`, { name: 'Other' });
  expect(renamed.body).toEqual({
    id: tenantId,
    name: 'Other',
    createdAt: expect.any(String),
    pipeline: defaultPipeline,
  });
  expect((await service.settings('GET', `/tenants/${tenantId}`)).body).toEqual(renamed.body);
  expect((await service.settings('DELETE', `/tenants/${tenantId}`)).status).toBe(204);
  for (const path of [`/tenants/${tenantId}`, `/agents/${agentId}`, `/keys/${key.body.id}`])
    expect((await service.settings('GET', path)).body.code).toBe('NOT_FOUND');
});

test('lists go page by page, each thing once, filtered by owner', async () => {
  const service = await testService();
  const { tenantId, agentId } = await provision(service);
  const other = await provision(service);
  for (let index = 0; index < 4; index++)
    await service.settings('POST', '/keys', { tenantId, agentId, kind: 'secret', label: `${index}` });
  const seen: string[] = [];
  let cursor = '';
  do {
    const query = `?agentId=${agentId}&limit=3${cursor && `&cursor=${cursor}`}`;
    const page = await service.settings('GET', `/keys${query}`);
    seen.push(...page.body.items.map((key: { label: string }) => key.label));
    cursor = page.body.next ?? '';
  } while (cursor !== '');
  expect(seen.sort()).toEqual(['0', '1', '2', '3']);
  expect((await service.settings('GET', `/agents?tenantId=${other.tenantId}`)).body.items).toHaveLength(1);
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?unknown=1', '?tenantId=a&tenantId=b'])
    expect((await service.settings('GET', `/agents${query}`)).status, query).toBe(400);
});

test('a script over a bound is refused with the place and the bound', async () => {
  const service = await testService();
  const { tenantId } = await provision(service);
  const create = (script: unknown) =>
    service.settings('POST', '/agents', { tenantId, name: 'x', model: { provider: 'scripted', script } });
  const { status, body } = await create([{ steps: [{ wait: 1 }, { say: 'x'.repeat(20_001), delayMs: 1 }] }]);
  expect([status, body.issues]).toEqual([
    400,
    [{ path: ['model', 'script', 0, 'steps', 1, 'say'], message: expect.stringContaining('20000') }],
  ]);
  const rules = Array.from({ length: 30 }, () => ({
    steps: Array.from({ length: 200 }, () => ({ wait: 1 })),
  }));
  expect(await create(rules)).toMatchObject({
    status: 400,
    body: { error: 'A JSON body has at most 10000 values.' },
  });
});

test('an agent comes back with its defaults; null restores them', async () => {
  const service = await testService();
  const { agentId } = await provision(service);
  const changed = await service.settings('PATCH', `/agents/${agentId}`, {
    maxSteps: 3,
    temperature: 0.5,
    reasoning: { effort: 'low', show: true },
    widget: { greeting: 'Hello', accent: '#000000' },
  });
  expect(changed.body).toMatchObject({ maxSteps: 3, temperature: 0.5, widget: { greeting: 'Hello' } });
  const restored = await service.settings('PATCH', `/agents/${agentId}`, {
    maxSteps: null,
    temperature: null,
    reasoning: { effort: null },
    widget: { greeting: null },
  });
  expect(agentViewSchema.parse(restored.body)).toMatchObject({
    maxSteps: 20,
    reasoning: { show: true },
    widget: { greeting: 'Hi! How can I help?', accent: '#000000' },
  });
  expect(restored.body).not.toHaveProperty('temperature');
  expect((await service.settings('GET', `/agents/${agentId}`)).body).toEqual(restored.body);
});

test('a credential is kept for its provider and address, replaced, removed, and never shown', async () => {
  const service = await testService();
  const { tenantId } = await provision(service);
  const made = await service.settings('POST', '/agents', { tenantId, name: 'Hosted', model: openai });
  expect(made.status).toBe(201);
  expect(made.body.model).toEqual(hosted);
  const path = `/agents/${made.body.id}`;
  const patch = async (model: unknown) => (await service.settings('PATCH', path, { model })).body.model;
  expect(await patch({ provider: 'openai', model: 'gpt-2' })).toEqual({ ...hosted, model: 'gpt-2' });
  expect((await service.settings('PATCH', path, { name: 'Renamed' })).body.model.apiKey).toEqual(
    hosted.apiKey,
  );
  const elsewhere = { provider: 'openai', model: 'gpt', baseUrl: 'https://elsewhere.example/v1' };
  expect(await patch(elsewhere)).toEqual(elsewhere);
  expect((await patch({ ...openai, apiKey: 'another-credential-9876' })).apiKey).toEqual({
    set: true,
    last4: '9876',
  });
  expect(await patch({ ...openai, apiKey: null })).toEqual({ provider: 'openai', model: 'gpt' });
});

test('credentials and header values are encrypted at rest', async () => {
  const service = await testService();
  const { tenantId } = await provision(service);
  const agent = await service.settings('POST', '/agents', { tenantId, name: 'Hosted', model: openai });
  await service.settings('POST', '/tools', tool(agent.body.id));
  const key = await service.settings('POST', '/keys', { tenantId, kind: 'secret' });
  expect(await service.stored.count('Hosted')).toBeGreaterThan(0);
  expect(await service.stored.count('canary')).toBe(0);
  expect(await service.stored.count(key.body.key)).toBe(0);
});

test('a secret key is shown when made and never again; a publishable one always', async () => {
  const service = await testService();
  const bound = await provision(service);
  const secret = await service.settings('POST', '/keys', { ...bound, kind: 'secret', label: 'Server' });
  expect(secret.status).toBe(201);
  expect(keyViewSchema.parse(secret.body)).toMatchObject({
    ...bound,
    kind: 'secret',
    label: 'Server',
    key: expect.stringMatching(/^sk_live_\w{38}$/),
    last4: secret.body.key.slice(-4),
    allowedOrigins: [],
    allowMissingOrigin: true,
  });
  const publishable = await service.settings('POST', '/keys', { ...bound, kind: 'publishable' });
  expect((await service.settings('GET', `/keys/${secret.body.id}`)).body).not.toHaveProperty('key');
  expect((await service.settings('GET', `/keys/${publishable.body.id}`)).body).toEqual(publishable.body);
  const patched = await service.settings('PATCH', `/keys/${secret.body.id}`, { agentId: null, label: null });
  expect(patched.body).toMatchObject({ agentId: null, label: '' });
  expect(patched.body).not.toHaveProperty('key');
});

test('a regenerated or deleted key is refused from the next request on', async () => {
  const service = await testService();
  const bound = await provision(service);
  const made = await service.settings('POST', '/keys', {
    ...bound,
    kind: 'publishable',
    allowedOrigins: ['*'],
  });
  const state = async (key: string) => (await service.call(`/v1/config?key=${key}`)).body.reason ?? 'works';
  expect(await state(made.body.key)).toBe('works');
  const again = await service.settings('POST', `/keys/${made.body.id}/regenerate`);
  expect(again.status).toBe(200);
  expect(await state(made.body.key)).toBe('unknown-key');
  expect(await state(again.body.key)).toBe('works');
  expect((await service.settings('DELETE', `/keys/${made.body.id}`)).status).toBe(204);
  expect(await state(again.body.key)).toBe('unknown-key');
});

test('nothing is bound to what is not there or belongs to another tenant', async () => {
  const service = await testService();
  const mine = await provision(service);
  const foreign = await provision(service);
  const refused = [
    ['/agents', { tenantId: 'tenant_none', name: 'A', model: openai }, 'tenantId'],
    ['/keys', { tenantId: 'tenant_none', kind: 'secret' }, 'tenantId'],
    ['/keys', { tenantId: mine.tenantId, agentId: foreign.agentId, kind: 'secret' }, 'agentId'],
    ['/tools', tool('agent_none'), 'agentId'],
  ] as const;
  for (const [path, body, field] of refused) {
    const answer = await service.settings('POST', path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.issues[0].path).toEqual([field]);
  }
  const key = await service.settings('POST', '/keys', { ...mine, kind: 'secret' });
  const moved = await service.settings('PATCH', `/keys/${key.body.id}`, { agentId: foreign.agentId });
  expect(moved.status).toBe(400);
});

test('fields nobody knows, owners in a patch and broken scripts are refused', async () => {
  const service = await testService();
  const { tenantId, agentId } = await provision(service);
  const script = [{ when: '(', steps: [{ say: 'x' }] }];
  const refused = [
    ['POST', '/tenants', { name: 'x', id: 'mine' }],
    ['PATCH', `/agents/${agentId}`, { tenantId }],
    ['PATCH', `/agents/${agentId}`, { id: 'mine' }],
    ['POST', '/agents', { tenantId, name: 'A', model: { provider: 'scripted', script } }],
    ['PATCH', `/agents/${agentId}`, { model: { provider: 'scripted', script } }],
    ['POST', '/keys', { tenantId, kind: 'publishable', allowedOrigins: ['https://a.example/path'] }],
  ] as const;
  for (const [method, path, body] of refused) {
    const answer = await service.settings(method, path, body);
    expect(answer.status, JSON.stringify(body)).toBe(400);
    expect(answer.body.issues.length).toBeGreaterThan(0);
  }
});

test('a tool keeps its headers to itself, and for its host only', async () => {
  const service = await testService();
  const { agentId } = await provision(service);
  const made = await service.settings('POST', '/tools', tool(agentId));
  expect(made.status).toBe(201);
  expect(toolViewSchema.parse(made.body)).toMatchObject({
    approval: 'never',
    idempotent: true,
    interfaces: ['chat', 'sessions'],
    visibility: 'status',
    timeoutMs: 10_000,
    request: { headers: { 'x-key': { set: true, last4: 'lue1' } } },
  });
  const path = `/tools/${made.body.id}`;
  const sameHost = await service.settings('PATCH', path, {
    request: { url: 'https://tools.example/v2/{{city}}' },
  });
  expect(sameHost.body.request).toMatchObject({ headers: { 'x-key': { set: true } } });
  const otherHost = await service.settings('PATCH', path, {
    request: { url: 'https://evil.example/{{city}}' },
  });
  expect(otherHost.status).toBe(200);
  expect(otherHost.body.request.headers ?? {}).toEqual({});
  expect((await service.settings('POST', '/tools', tool(agentId))).body.issues[0].path).toEqual(['name']);
  expect((await service.settings('DELETE', path)).status).toBe(204);
  expect((await service.settings('DELETE', path)).status).toBe(404);
});

test('the test of a tool runs it once with the given input', async () => {
  const requests: (string | undefined)[] = [];
  const endpoint = createServer((request, response) => {
    requests.push(`${request.url} ${String(request.headers['x-key'])}`);
    response.setHeader('content-type', 'application/json');
    response.end('{"weather":"mild"}');
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void endpoint.close());
  const address = endpoint.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const service = await testService({ EGRESS_ALLOW: host });
  const { agentId } = await provision(service);
  const request = { ...tool(agentId).request, url: `http://${host}/{{city}}` };
  const { body } = await service.settings('POST', '/tools', { ...tool(agentId), request });
  const run = (input: unknown) => service.settings('POST', `/tools/${body.id}/test`, { input });
  const answer = await run({ city: 'Oslo' });
  expect(answer.body).toMatchObject({ status: 'completed', durationMs: expect.any(Number) });
  expect(JSON.stringify(answer.body.output)).toContain('mild');
  expect(requests).toEqual(['/Oslo canary-value1']);
  expect((await run({ city: 3 })).status).toBe(400);
  expect(requests).toHaveLength(1);
});

function tool(agentId: string) {
  return {
    agentId,
    kind: 'http',
    name: 'weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    request: {
      method: 'GET',
      url: 'https://tools.example/v1/{{city}}',
      headers: { 'x-key': 'canary-value1' },
    },
  };
}

test('a key says when it was last used, and a new one in its place that it was not', async () => {
  const service = await testService();
  const bound = await provision(service);
  const made = (await service.settings('POST', '/keys', { ...bound, kind: 'secret' })).body;
  const lastUsed = async () => (await service.settings('GET', `/keys/${made.id}`)).body.lastUsedAt;
  expect([made.lastUsedAt, await lastUsed()]).toEqual([null, null]);
  const before = Date.now();
  await service.call('/parley/v1/session/none/stream', { headers: { authorization: `Bearer ${made.key}` } });
  await expect.poll(async () => Date.parse(await lastUsed()) >= before).toBe(true);
  expect((await service.settings('POST', `/keys/${made.id}/regenerate`)).body.lastUsedAt).toBeNull();
  expect(await lastUsed()).toBeNull();
});

test('a field that is missing or of another type is named, with what it takes', async () => {
  const service = await testService();
  const { tenantId } = await provision(service);
  const refused = async (path: string, given: unknown) => {
    const { status, body } = await service.settings('POST', path, given);
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    return body;
  };
  expect(await refused('/tenants', {})).toMatchObject({
    error: 'The request is not valid: name: It is missing.',
    issues: [{ path: ['name'], message: 'It is missing.' }],
  });
  const typed = await refused('/tenants', { name: 5 });
  expect(typed.issues).toEqual([{ path: ['name'], message: 'Expected a string.' }]);
  const key = await refused('/keys', { tenantId });
  const kinds = 'It is missing. Expected one of "secret", "publishable".';
  expect(key.issues).toEqual([{ path: ['kind'], message: kinds }]);
  const agent = await refused('/agents', { tenantId, name: 'Ada', model: { model: 'gpt' } });
  expect(agent.issues).toEqual([
    { path: ['model', 'provider'], message: expect.stringMatching(/^It is missing\. .*"openai"/) },
  ]);
});

test('a field that has none of its values, or too much or too little, is told what it takes', async () => {
  const service = await testService();
  const { tenantId } = await provision(service);
  const issueOf = async (path: string, given: unknown) =>
    (await service.settings('POST', path, given)).body.issues[0].message;
  expect(await issueOf('/keys', { tenantId, kind: 'public' })).toBe(
    'Expected one of "secret", "publishable".',
  );
  const model = { provider: 'none', model: 'gpt' };
  expect(await issueOf('/agents', { tenantId, name: 'Ada', model })).toMatch(/^Expected one of .*"openai", /);
  expect(await issueOf('/tenants', { name: '' })).toBe('Expected at least 1 character.');
  expect(await issueOf('/tenants', { name: 'x'.repeat(1000) })).toMatch(
    /^Expected at most \d+ characters\.$/,
  );
});
