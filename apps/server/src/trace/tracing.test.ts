import { expect, test } from 'vitest';
import { openToolEndpoint } from '../testing/tool-endpoint.ts';
import { request, testService } from '../testing/test-service.ts';
import { openTraceCollector } from '../testing/trace-collector.ts';

const canary = 'heron-feathers';
const callerTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';
const traceparent = `00-${callerTrace}-${callerSpan}-01`;
const script = [
  { when: 'fail', steps: [{ fail: 'boom' }] },
  { steps: [{ call: 'look_up', input: { order: '{{input}}' } }, { say: 'You said {{input}}.' }] },
];

async function run(environment: Record<string, string>) {
  const endpoint = await openToolEndpoint();
  const service = await testService({ EGRESS_ALLOW: endpoint.host, ...environment });
  const created = async (path: string, body: object) => (await service.settings('POST', path, body)).body;
  const { id: tenantId } = await created('/tenants', { name: 'Tenant' });
  const model = { provider: 'scripted', script };
  const { id: agentId } = await created('/agents', { tenantId, name: 'Ada', model });
  await created('/tools', {
    agentId,
    kind: 'http',
    name: 'look_up',
    description: 'Looks up',
    parameters: { type: 'object', properties: { order: { type: 'string' } } },
    request: { method: 'POST', url: `${endpoint.url}/orders`, body: { order: '{{order}}' } },
  });
  const keyOf = async (kind: 'secret' | 'publishable') =>
    (await created('/keys', { tenantId, agentId, kind })).key;
  const keys = { secret: await keyOf('secret'), publishable: await keyOf('publishable') };
  const say = (kind: keyof typeof keys, text: string, requestId: string) =>
    request(`${service.url}/api/v1/agent/chat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys[kind]}`,
        'content-type': 'application/json',
        'x-request-id': requestId,
        traceparent,
      },
      body: JSON.stringify({ id: `conversation-of-${kind}`, text }),
    });
  return { service, tenantId, agentId, say };
}

test('a trace goes from the caller through the request and its turn to model and tool, without a word that was said', async () => {
  const collector = await openTraceCollector();
  const { service, tenantId, agentId, say } = await run({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collect',
  });
  expect((await say('secret', canary, 'request-of-a-server')).status).toBe(200);
  await say('publishable', canary, 'request-of-a-page');
  await say('secret', `fail ${canary}`, 'request-that-fails');
  await service.stop();

  const { spans } = collector;
  const from = (requestId: string) => {
    const http = spans.find(
      ({ name, attributes }) => name.startsWith('POST') && attributes['parley.request.id'] === requestId,
    );
    const below = (parent: string | undefined) => spans.filter(({ parentSpanId }) => parentSpanId === parent);
    const [turn, ...others] = below(http?.spanId);
    expect(others).toEqual([]);
    return { http, turn, steps: below(turn?.spanId) };
  };
  const { http, turn, steps } = from('request-of-a-server');
  expect(http).toMatchObject({
    traceId: callerTrace,
    parentSpanId: callerSpan,
    name: 'POST /api/v1/agent/chat',
  });
  expect(http?.attributes).toMatchObject({ 'http.response.status_code': 200, 'parley.tenant.id': tenantId });
  expect(turn).toMatchObject({ traceId: callerTrace, name: 'invoke_agent Ada', status: 0 });
  expect(turn?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': 'scripted',
    'gen_ai.agent.id': agentId,
    'gen_ai.conversation.id': expect.stringMatching(/^[\w-]{12}$/),
    'parley.turn': 0,
    'parley.turn.status': 'completed',
  });
  expect(steps.map(({ name }) => name)).toEqual(['chat scripted', 'execute_tool look_up', 'chat scripted']);
  expect(steps[0]?.attributes).toMatchObject({
    'gen_ai.request.model': 'scripted',
    'gen_ai.response.finish_reasons': { values: [{ stringValue: 'tool-calls' }] },
  });

  const page = from('request-of-a-page');
  expect(page.http?.traceId).not.toBe(callerTrace);
  expect(page.http?.parentSpanId).toBeUndefined();
  expect(page.turn?.traceId).toBe(page.http?.traceId);

  const failed = from('request-that-fails');
  expect(failed.turn).toMatchObject({ status: 2, attributes: { 'error.type': 'MODEL_CALL_FAILED' } });

  expect(collector.bodies.join()).not.toContain(canary);
  expect(collector.bodies.join()).not.toMatch(/ses_[0-9a-f]{32}/);
  expect([...collector.authorizations]).toEqual(['Bearer collect']);
});

test('a collector that refuses costs one line, and every line of a turn says whose it is', async () => {
  const collector = await openTraceCollector(400);
  const { service, tenantId, agentId, say } = await run({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    LOG_LEVEL: 'info',
  });
  await say('secret', canary, 'request-of-a-server');
  expect((await say('secret', `fail ${canary}`, 'request-that-fails')).status).toBe(502);
  await service.stop();
  expect(collector.bodies.length).toBeGreaterThan(0);
  const lines = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(
    lines.filter(({ msg }) => msg === 'traces could not be sent; trying again with the next ones'),
  ).toHaveLength(1);
  const ofTurns = lines.filter(({ turn }) => turn !== undefined);
  const whose = { tenant: tenantId, agent: agentId, sessionId: expect.stringMatching(/^[\w-]{12}$/) };
  const ended = { durationMs: expect.any(Number), waitMs: expect.any(Number), model: 'scripted' };
  expect(ofTurns).toMatchObject([
    {
      ...whose,
      ...ended,
      requestId: 'request-of-a-server',
      turn: 0,
      msg: 'a turn ended',
      status: 'completed',
    },
    { ...whose, requestId: 'request-that-fails', turn: 1, msg: 'a turn failed', code: 'MODEL_CALL_FAILED' },
    { ...whose, ...ended, requestId: 'request-that-fails', turn: 1, msg: 'a turn ended', status: 'failed' },
  ]);
  const asked = lines.filter(({ path }) => path === '/api/v1/agent/chat');
  expect(asked).toMatchObject([
    { requestId: 'request-of-a-server', tenant: tenantId, agent: agentId },
    { requestId: 'request-that-fails', tenant: tenantId, agent: agentId },
  ]);
  expect(lines.map((line) => JSON.stringify(line)).join()).not.toContain(canary);
});
