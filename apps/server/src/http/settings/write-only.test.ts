import { expect, onTestFinished, test } from 'vitest';
import { type Answer, provision, testService } from '../../testing/test-service.ts';
import { openToolEndpoint } from '../../testing/tool-endpoint.ts';
import { Visitor } from '../../testing/visitor.ts';

const canary = (name: string) => `canary-${name}-${'x'.repeat(32)}-end`;

test('what is written only is in no answer, event, error, change log or line of the log, and in no column', async () => {
  const endpoint = await openToolEndpoint();
  onTestFinished(() => endpoint.close());
  const service = await testService({ EGRESS_ALLOW: endpoint.host, LOG_LEVEL: 'trace' });
  const { tenantId, agentId } = await provision(service);
  const answers: Answer[] = [];
  const settings = async (method: string, path: string, body?: unknown) => {
    const answer = await service.settings(method, path, body);
    answers.push(answer);
    return answer;
  };

  const identity = { secret: canary('identity'), toolSecret: canary('tools') };
  const bedrock = {
    provider: 'amazon-bedrock',
    model: 'm',
    region: 'eu-central-1',
    baseUrl: endpoint.url,
    accessKeyId: 'known',
    secretAccessKey: canary('access'),
    sessionToken: canary('session'),
  };
  const made = await settings('POST', '/agents', { tenantId, name: 'Ada', model: bedrock, identity });
  expect(made.status).toBe(201);
  const agent = `/agents/${made.body.id}`;
  const echo = { error: { message: `Incorrect API key: ${canary('key')}` } };
  const provider = { ...endpoint.provider({ error: echo }, { error: echo }).model, apiKey: canary('key') };
  const errors = [
    await settings('PATCH', agent, { model: { ...bedrock, region: undefined } }),
    await settings('PATCH', agent, { identity: { ...identity, unknown: canary('unknown') } }),
    await settings('PATCH', agent, { model: { ...provider, apiKey: canary('long').repeat(300) } }),
    await settings('POST', `${agent}/test-model`, { model: { ...provider, baseUrl: 'no address' } }),
  ];
  expect(errors.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  for (const model of [bedrock, provider])
    expect((await settings('POST', `${agent}/test-model`, { model })).body.status).toBe('failed');
  expect((await settings('PATCH', agent, { model: provider })).status).toBe(200);

  const request = {
    method: 'POST',
    url: `${endpoint.url}/broken`,
    query: { pin: { $secret: canary('query') }, api_key: canary('named') },
    headers: { 'x-plain': canary('header') },
    body: { pin: { $secret: canary('body') }, login: { password: canary('password') } },
  };
  const tool = {
    agentId,
    kind: 'http',
    name: 'look',
    description: 'x',
    parameters: { type: 'object' },
    request,
  };
  const stored = await settings('POST', '/tools', tool);
  expect(stored.status).toBe(201);
  const at = `/tools/${stored.body.id}`;
  const refused = [
    await settings('POST', '/tools', { ...tool, name: 'a b' }),
    await settings('PATCH', at, { request: { headers: { 'x-plain': `${canary('header')}\n` } } }),
    await settings('PATCH', at, { request: { ...request, method: 'GET' } }),
    await settings('POST', '/tools/test', { tool: { ...tool, request: { ...request, method: 'GET' } } }),
    await settings('POST', `${at}/test`, { changes: { request: { headers: { host: canary('host') } } } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  expect((await settings('POST', `${at}/test`, { changes: { request } })).body.status).toBe('failed');
  expect((await settings('POST', '/tools/test', { tool })).body.status).toBe('failed');
  expect((await settings('PATCH', at, { description: 'y', request })).status).toBe(200);

  const script = [{ steps: [{ call: 'look', input: {} }, { say: '{{result}}' }] }];
  await settings('PATCH', `/agents/${agentId}`, { model: { provider: 'scripted', script } });
  const events = [];
  for (const id of [agentId, made.body.id]) {
    const { key } = (await service.settings('POST', '/keys', { tenantId, agentId: id, kind: 'secret' })).body;
    events.push(await (await new Visitor(service.url, key).start('Hello')).log(1));
  }
  for (const path of ['/agents', '/tools', agent, at, `/audit?tenantId=${tenantId}&limit=200`])
    expect((await settings('GET', path)).status).toBe(200);
  await settings('DELETE', at);
  await settings('DELETE', agent);

  expect(endpoint.calls.filter(({ body }) => body.includes(canary('body')))).toHaveLength(3);
  const shown = answers.map(({ body }) => JSON.stringify(body)).concat(JSON.stringify(events), service.log);
  expect(shown.filter((each) => /canary-\w+-x/.test(each))).toEqual([]);
  expect(await service.stored.count('canary-')).toBe(0);
});
