import { expect, onTestFinished, test } from 'vitest';
import { provision, testService } from '../../testing/test-service.ts';
import type { TestStore } from '../../testing/test-store.ts';
import { openToolEndpoint } from '../../testing/tool-endpoint.ts';
import { Visitor } from '../../testing/visitor.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } } };

function tool(agentId: string, url: string) {
  return {
    agentId,
    kind: 'http',
    name: 'look',
    description: 'Looks.',
    parameters,
    visibility: 'full',
    request: {
      method: 'POST',
      url,
      query: { city: '{{city}}', api_key: 'canary query & 1', pin: { $secret: 'canary-pin' } },
      body: {
        city: '{{city}}',
        login: { password: 'canary-password-9', name: 'ida' },
        extra: { $secret: 'canary-extra' },
      },
    },
  };
}

const masked = {
  query: {
    city: '{{city}}',
    api_key: { $secret: { set: true, last4: '& 1'.padStart(4, ' ') } },
    pin: { $secret: { set: true, last4: '' } },
  },
  body: {
    city: '{{city}}',
    login: { password: { $secret: { set: true, last4: 'rd-9' } }, name: 'ida' },
    extra: { $secret: { set: true, last4: 'xtra' } },
  },
};

async function running() {
  const endpoint = await openToolEndpoint();
  onTestFinished(() => endpoint.close());
  const service = await testService({ EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'trace' });
  const bound = await provision(service);
  return { endpoint, service, ...bound };
}

test('a secret in a tool’s query or body is sent, and shown to nobody', async () => {
  const { endpoint, service, tenantId, agentId } = await running();
  const made = await service.settings('POST', '/tools', tool(agentId, `${endpoint.url}/look`));
  expect(made.body.request).toMatchObject(masked);
  const path = `/tools/${made.body.id}`;
  const tested = await service.settings('POST', `${path}/test`, { input: { city: 'Oslo' } });
  expect(tested.body.status).toBe('completed');
  expect(JSON.stringify(tested.body.output)).toContain('[redacted]');
  const url = new URL(endpoint.calls[0]!.path, endpoint.url);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    city: 'Oslo',
    api_key: 'canary query & 1',
    pin: 'canary-pin',
  });
  expect(JSON.parse(endpoint.calls[0]!.body)).toEqual({
    city: 'Oslo',
    login: { password: 'canary-password-9', name: 'ida' },
    extra: 'canary-extra',
  });

  const script = [{ steps: [{ call: 'look', input: { city: 'Oslo' } }, { say: 'Seen.' }] }];
  await service.settings('PATCH', `/agents/${agentId}`, { model: { provider: 'scripted', script } });
  const key = await service.settings('POST', '/keys', { tenantId, agentId, kind: 'publishable' });
  const session = await new Visitor(service.url, key.body.key).start('Look');
  const log = await session.log(1);
  const result = log.find(({ type }) => type === 'action.result');
  expect(result).toMatchObject({ data: { status: 'completed' } });
  const shown = [made.body, tested.body, log, (await service.settings('GET', '/tools')).body, service.log];
  expect(JSON.stringify(shown)).not.toContain('canary');
  expect(await service.stored.count('canary')).toBe(0);
});

test('a secret that is sent back as it was shown stays, for its host and its place alone', async () => {
  const { endpoint, service, agentId } = await running();
  const made = await service.settings('POST', '/tools', tool(agentId, `${endpoint.url}/look`));
  const path = `/tools/${made.body.id}`;
  const patch = (request: unknown) => service.settings('PATCH', path, { request });
  const { query, body } = made.body.request;
  expect((await patch({ query: { ...query, page: '2' }, body })).body.request).toMatchObject({
    ...masked,
    query: { ...masked.query, page: '2' },
  });
  expect((await patch({ url: `${endpoint.url}/other` })).body.request).toMatchObject(masked);
  await service.settings('POST', `${path}/test`, { input: {} });
  expect(endpoint.calls[0]?.path).toContain('canary-pin');
  expect(endpoint.calls[0]?.body).toContain('canary-extra');

  const elsewhere = await patch({ query: { other: query.pin } });
  expect(elsewhere).toMatchObject({
    status: 400,
    body: { issues: [{ path: ['request', 'query', 'other'] }] },
  });
  const url = 'https://evil.example/';
  expect(await patch({ url, body })).toMatchObject({
    status: 400,
    body: { issues: [{ path: ['request', 'body', 'login', 'password'] }] },
  });
  expect((await patch({ body: { a: { $secret: 1 } } })).status).toBe(400);
  const moved = await patch({ url });
  expect(moved.body.request).toMatchObject({
    url,
    query: { city: '{{city}}', page: '2' },
    body: { city: '{{city}}', login: { name: 'ida' } },
  });
  expect(JSON.stringify(moved.body.request)).not.toContain('$secret');
});

test('a plain credential of an earlier version is encrypted at the next start', async () => {
  const before = await testService();
  const { agentId } = await provision(before);
  const url = 'https://tools.example/';
  const plain = { ...tool(agentId, url), request: { method: 'GET', url, query: { page: '1' } } };
  const { id } = (await before.settings('POST', '/tools', plain)).body;
  await before.stop();
  const [stored] = await before.stored.sql('SELECT config FROM tools WHERE id = ?', id);
  const config = JSON.parse(String(stored?.['config']));
  config.request.query = { page: '1', token: 'canary-token-1' };
  await before.stored.sql('UPDATE tools SET config = ? WHERE id = ?', JSON.stringify(config), id);
  expect(await before.stored.count('canary')).toBeGreaterThan(0);

  const after = await testService({}, { stored: before.stored });
  expect((await after.settings('GET', `/tools/${id}`)).body.request.query).toEqual({
    page: '1',
    token: { $secret: { set: true, last4: 'en-1' } },
  });
  await after.stop();
  expect(await after.stored.count('canary')).toBe(0);
});

test('a secret that is changed while an earlier version’s plain credential is encrypted stays changed', async () => {
  const before = await testService();
  const { agentId } = await provision(before);
  const { id } = (await before.settings('POST', '/tools', tool(agentId, 'https://tools.example/'))).body;
  await before.stop();
  const { stored } = before;
  const [made] = await stored.sql('SELECT config FROM tools WHERE id = ?', id);
  const config = JSON.parse(String(made?.['config']));
  config.request.query.token = 'canary-token-1';
  await stored.sql('UPDATE tools SET config = ? WHERE id = ?', JSON.stringify(config), id);

  const changed = 'what another process has encrypted';
  const watched: TestStore = {
    ...stored,
    async open(clock) {
      const store = await stored.open(clock);
      const { tools } = store.settings;
      const update: typeof tools.update = async (...asked) => {
        await stored.sql('UPDATE tools SET secrets = ? WHERE id = ?', changed, id);
        return tools.update(...asked);
      };
      return { ...store, settings: { ...store.settings, tools: { ...tools, update } } };
    },
  };
  await (await testService({}, { stored: watched, clock: Date.now })).stop();
  expect(await stored.sql('SELECT secrets FROM tools WHERE id = ?', id)).toEqual([{ secrets: changed }]);
});
