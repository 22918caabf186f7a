import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../store/clock.ts';
import { provision, testService } from '../../testing/test-service.ts';
import { openToolEndpoint } from '../../testing/tool-endpoint.ts';

async function running(clock?: Clock) {
  const endpoint = await openToolEndpoint();
  onTestFinished(() => endpoint.close());
  const service = await testService(
    { EGRESS_ALLOW: endpoint.host, LOG_LEVEL: 'trace' },
    { ...(clock && { clock }) },
  );
  const { tenantId, agentId } = await provision(service);
  const audit = async () => (await service.settings('GET', `/audit?tenantId=${tenantId}`)).body.items;
  const tool = {
    agentId,
    kind: 'http',
    name: 'refund',
    description: 'Refunds.',
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    approval: 'always',
    request: {
      method: 'POST',
      url: `${endpoint.url}/refunds/{{order}}`,
      query: { page: '{{order}}', key: { $secret: 'cnr' } },
      headers: { authorization: 'Bearer canary-header-1', 'x-shop': 'canary-shop' },
      body: { order: '{{order}}', pin: { $secret: 'canary-body-1' } },
    },
  };
  return { endpoint, service, agentId, audit, tool };
}

test('a tool is tried before and after it is stored, and shows what was sent without its secrets', async () => {
  const { endpoint, service, audit, tool } = await running();
  const tried = await service.settings('POST', '/tools/test', { tool, input: { order: 'A/1' } });
  const request = {
    method: 'POST',
    url: `${endpoint.url}/refunds/A%2F1?page=A%2F1&key=%5Bredacted%5D`,
    headers: { authorization: '[redacted]', 'x-shop': '[redacted]', 'content-type': 'application/json' },
    body: '{"order":"A/1","pin":"[redacted]"}',
  };
  const path = '/refunds/A%2F1?page=A%2F1&key=cnr';
  expect(endpoint.calls).toMatchObject([
    {
      path,
      headers: { authorization: 'Bearer canary-header-1' },
      body: '{"order":"A/1","pin":"canary-body-1"}',
    },
  ]);
  expect(tried.body).toMatchObject({
    status: 'completed',
    request,
    response: { status: 200, headers: { 'content-type': 'application/json' }, cut: false },
    output: { done: path },
  });
  expect((await service.settings('GET', '/tools')).body.items).toEqual([]);

  const stored = (await service.settings('POST', '/tools', tool)).body;
  const at = `/tools/${stored.id}`;
  const changes = { request: { url: `${endpoint.url}/broken`, query: null } };
  const changed = await service.settings('POST', `${at}/test`, { input: { order: 'B' }, changes });
  expect(changed.body).toMatchObject({
    status: 'failed',
    output: { code: 'HTTP_STATUS', message: expect.stringContaining('500') },
    request: { url: `${endpoint.url}/broken`, headers: request.headers },
    response: { status: 500, body: 'canary: out of order' },
  });
  expect(endpoint.calls[1]).toMatchObject({
    path: '/broken',
    headers: { authorization: 'Bearer canary-header-1' },
  });
  expect((await service.settings('GET', at)).body).toEqual(stored);
  // A secret that was entered for one host is not taken to another.
  const elsewhere = {
    request: { url: endpoint.url.replace('127.0.0.1', 'localhost'), body: tool.request.body },
  };
  const moved = await service.settings('POST', `${at}/test`, { input: { order: 'B' }, changes: elsewhere });
  expect(moved.body.request.headers).not.toHaveProperty('authorization');

  const unsent = await service.settings('POST', `${at}/test`, { input: { order: '..' } });
  expect(unsent.status).toBe(400);
  const wrong = { ...tool, request: { ...tool.request, body: { a: '{{nobody}}' } } };
  expect((await service.settings('POST', '/tools/test', { tool: wrong, input: {} })).body.issues).toEqual([
    { path: ['tool', 'request'], message: expect.stringContaining('{{nobody}}') },
  ]);
  const log = await audit();
  expect(log.filter(({ action }: { action: string }) => action === 'tested')).toMatchObject([
    {},
    { subject: { id: stored.id, name: 'refund' }, after: { outcome: 'failed', answered: 500 } },
    { subject: { name: 'refund' }, before: null, after: { outcome: 'completed', answered: 200 } },
  ]);
  const shown = [tried.body, stored, changed.body.request, moved.body, unsent.body, log, service.log];
  expect(JSON.stringify(shown)).not.toContain('canary-');
  expect(await service.stored.count('canary-')).toBe(0);
});

test('a model is tried with what is entered and the key that is stored, and nothing shows the key', async () => {
  const { endpoint, service, agentId, audit } = await running();
  const echo = { error: { message: 'Incorrect API key provided: canary-key-1.', code: 401 } };
  const provider = endpoint.provider({ text: ['ready', '.'] }, { error: echo });
  const stored = { ...provider.model, apiKey: 'canary-key-1' };
  await service.settings('PATCH', `/agents/${agentId}`, { model: stored });
  const { apiKey: _none, ...entered } = { ...stored, model: 'another' };
  const trial = (body: unknown) => service.settings('POST', `/agents/${agentId}/test-model`, body);

  const ready = await trial({ model: entered });
  expect(ready.body).toEqual({ status: 'completed', durationMs: expect.any(Number) });
  expect(endpoint.calls[0]?.headers.authorization).toBe('Bearer canary-key-1');
  expect(provider.prompts()).toMatchObject([{ model: 'another', messages: [{ role: 'user' }] }]);
  const refused = await trial({});
  expect(refused.body).toMatchObject({ status: 'failed', cause: { code: 'MODEL_REJECTED' } });
  const away = { ...entered, baseUrl: 'http://10.0.0.1:8080/v1' };
  const denied = await trial({ model: { ...away, apiKey: 'canary-key-2' } });
  expect(denied.body).toMatchObject({
    status: 'failed',
    cause: { code: 'MODEL_NOT_ALLOWED', message: expect.stringContaining('10.0.0.1') },
  });
  const keyless = await trial({ model: { provider: 'openai', model: 'm' } });
  expect(keyless.body).toMatchObject({
    cause: { code: 'MODEL_MISCONFIGURED', message: expect.stringContaining('apiKey') },
  });
  expect((await service.settings('GET', `/agents/${agentId}`)).body.model.model).toBe(stored.model);
  const log = await audit();
  expect(log).toMatchObject([
    { action: 'tested', after: { outcome: 'failed', cause: 'MODEL_MISCONFIGURED' } },
    { action: 'tested', after: { outcome: 'failed', cause: 'MODEL_NOT_ALLOWED' } },
    { action: 'tested', after: { outcome: 'failed', cause: 'MODEL_REJECTED' } },
    { action: 'tested', after: { outcome: 'completed', 'model.model': 'another' } },
    { action: 'updated' },
    {},
    {},
  ]);
  expect(JSON.stringify([ready, refused, denied, log, service.log])).not.toContain('canary-');
  expect(await service.stored.count('canary-')).toBe(0);
});

test('a model is tried with the reasoning that is entered, and with the stored one where none is', async () => {
  const { endpoint, service, agentId } = await running();
  const provider = endpoint.provider();
  const reasoning = { effort: 'low', show: false };
  await service.settings('PATCH', `/agents/${agentId}`, { model: provider.model, reasoning });
  const trial = (body: unknown) => service.settings('POST', `/agents/${agentId}/test-model`, body);

  for (const body of [{ reasoning: { effort: 'high' } }, { reasoning: {} }, { model: provider.model }, {}])
    expect((await trial(body)).body).toMatchObject({ status: 'completed' });
  expect(provider.prompts()).toEqual([
    expect.objectContaining({ reasoning_effort: 'high' }),
    // The effort that is entered may be none: the provider's own is tried then.
    expect.not.objectContaining({ reasoning_effort: expect.anything() }),
    expect.objectContaining({ reasoning_effort: 'low' }),
    expect.objectContaining({ reasoning_effort: 'low' }),
  ]);
  expect((await trial({ reasoning: { effort: 'extreme' } })).status).toBe(400);
  expect((await service.settings('GET', `/agents/${agentId}`)).body.reasoning).toEqual(reasoning);
});

test('a document is read from its address as tools reach theirs, and trials are counted for whoever makes them', async () => {
  // The minute of what is counted does not pass while it is used up.
  const now = Date.now();
  const { endpoint, service, agentId } = await running(() => now);
  const read = (url: string) => service.settings('POST', '/tools/document', { agentId, url });
  expect((await read(`${endpoint.url}/openapi.json`)).body).toEqual({
    status: 'read',
    address: `${endpoint.url}/openapi.json`,
    text: '{"done":"/openapi.json"}',
  });
  for (const [url, message] of [
    [`${endpoint.url}/broken`, 'The address answered 500.'],
    ['http://10.0.0.1/', expect.stringContaining('not on the public internet')],
  ] as const)
    expect((await read(url)).body).toEqual({ status: 'failed', message });
  const rest = Array.from({ length: 57 }, () =>
    service.settings('POST', `/agents/${agentId}/test-model`, {}),
  );
  for (const { body } of await Promise.all(rest)) expect(body.status).toBe('completed');
  expect(await read(`${endpoint.url}/openapi.json`)).toMatchObject({
    status: 429,
    body: { code: 'QUOTA_EXCEEDED', error: expect.stringContaining('Too much was tried out') },
  });
});
