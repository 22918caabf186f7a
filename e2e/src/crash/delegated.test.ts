import { join } from 'node:path';
import type { SessionEvent } from '@parley/protocol/event';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent, type TestAgent } from '../server.ts';
import { createRestartableService, type RestartableService } from './restartable-service.ts';
import { type Reader, followSession } from './reader.ts';
import { openToolSink } from './tool-sink.ts';

const program = join(import.meta.dirname, '../../../apps/server/src/testing/crashing-main.ts');
const clientTools = [{ name: 'go_to', description: 'Shows a page', parameters: { type: 'object' } }];
const goTo = { call: 'go_to', input: { page: '/pricing' } };
const script = [
  { when: 'both', steps: [{ call: 'pay', input: { order: 'A-17' } }, goTo, { say: 'After {{result}}.' }] },
  { steps: [goTo, { say: 'You see {{result}}.' }] },
];

async function post(url: string, path: string, { publishableKey }: TestAgent, body: unknown) {
  const response = await fetch(`${url}/parley/v1/session${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${publishableKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { sessionId: string; continuationToken: string };
}

const waits = (times: number) => (events: readonly SessionEvent[]) =>
  events.filter(({ type }) => type === 'session.waiting').length === times;

const spoken = ({ events }: Reader) =>
  events.flatMap((event) => (event.type === 'message.completed' ? [event.data.message] : []));

async function open(environment: Record<string, string> = {}): Promise<RestartableService> {
  const restartable = await createRestartableService(environment);
  onTestFinished(restartable.close);
  return restartable;
}

function follow(restartable: RestartableService, agent: TestAgent, sessionId: string): Reader {
  const reader = followSession(restartable, agent, sessionId);
  onTestFinished(() => reader.stop());
  return reader;
}

test('a call that waits for the page survives the death of the service, as often as it dies', async () => {
  const restartable = await open();
  const agent = await createAgent(await restartable.start(), script);
  const { sessionId, continuationToken } = await post((await restartable.current()).url, '', agent, {
    message: 'show me',
    clientTools,
  });
  const reader = follow(restartable, agent, sessionId);
  await reader.until(waits(1));
  for (let deaths = 0; deaths < 2; deaths += 1) {
    await restartable.kill();
    await restartable.start();
  }
  const calls = reader.events.flatMap((event) => (event.type === 'action.delegated' ? [event.data] : []));
  expect(calls).toMatchObject([{ toolName: 'go_to', input: { page: '/pricing' } }]);
  const actionResults = [{ callId: calls[0]?.callId, output: 'the prices' }];
  await post((await restartable.current()).url, `/${sessionId}`, agent, { continuationToken, actionResults });
  await reader.until(waits(2));
  expect(spoken(reader)).toEqual(['You see the prices.']);
});

test('a step that was interrupted while the service ran its own call gives the page’s call to the page once', async () => {
  const sink = await openToolSink();
  onTestFinished(() => sink.close());
  const restartable = await open({ EGRESS_ALLOW: sink.address });
  const point = { side: 'before', moment: 'result journal', time: 1 };
  const server = await restartable.start({ program, environment: { CRASH_POINT: JSON.stringify(point) } });
  const agent = await createAgent(server, script);
  await server.settings('POST', '/tools', {
    agentId: agent.agentId,
    kind: 'http',
    name: 'pay',
    description: 'pay',
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    request: { method: 'POST', url: `${sink.url}/pay`, body: { order: '{{order}}' } },
  });
  const { sessionId, continuationToken } = await post(server.url, '', agent, {
    message: 'both',
    clientTools,
  });
  await restartable.died();
  await restartable.start();
  const reader = follow(restartable, agent, sessionId);
  await reader.until(waits(1));
  const calls = reader.events.flatMap((event) => (event.type === 'action.delegated' ? [event.data] : []));
  expect(calls).toMatchObject([{ toolName: 'go_to' }]);
  const results = reader.events.flatMap((event) => (event.type === 'action.result' ? [event.data] : []));
  expect(results).toMatchObject([{ result: { toolName: 'pay' }, error: { code: 'OUTCOME_UNKNOWN' } }]);

  const actionResults = [{ callId: calls[0]?.callId, output: 'shown' }];
  await post((await restartable.current()).url, `/${sessionId}`, agent, { continuationToken, actionResults });
  await reader.until(waits(2));
  expect(spoken(reader)).toEqual(['After shown.']);
  expect(sink.deliveries).toHaveLength(1);
});
