import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createModel } from '../model/create-model.ts';
import { chatService, chunksOf, eventStream, ofType, textOf } from '../testing/chat-service.ts';

const service = await chatService();

/** A provider that is in trouble, as the first part of the path says. */
const provider = createServer((request, response) => {
  const trouble = request.url?.split('/')[1] ?? '';
  if (trouble === 'silence') return;
  if (trouble === 'reset') response.socket?.resetAndDestroy();
  else response.writeHead(Number(trouble), { 'content-type': 'application/json' }).end('{}');
});
provider.listen(0, '127.0.0.1');
await once(provider, 'listening');
const { port } = provider.address() as AddressInfo;
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});

const hours = { question: 'When are you open?', answer: 'We open at nine.', url: 'https://a.example/hours' };
const quoted = 'I can only quote what I have read. This fits best:\n\n> We open at nine. [1]';

async function agentWith(fields: object, script: readonly unknown[] = []) {
  const agent = await service.agent(script, { agent: { fallback: 'quoting', ...fields } });
  const { agentId } = agent;
  const source = { agentId, kind: 'faq', name: 'Shop', entries: [hours] };
  expect((await service.settings('POST', '/sources', source)).status).toBe(201);
  const turns = async () => {
    const { body } = await service.settings('GET', `/conversations?tenantId=${agent.tenantId}`);
    return (await service.settings('GET', `/conversations/${body.items[0].id}/turns`)).body.items;
  };
  return { ...agent, turns };
}

test.each(['500', '401', '429', 'silence', 'reset'])(
  'while the provider answers with %s, the visitor is quoted what the agent has read',
  async (trouble) => {
    const agent = await agentWith({});
    const model = await createModel({
      settings: {
        provider: 'openai-compatible',
        model: 'far',
        baseUrl: `http://127.0.0.1:${port}/${trouble}`,
      },
      reasoning: { show: false },
      temperature: undefined,
      maxOutputTokens: undefined,
      credentials: { apiKey: 'k' },
      fetch: globalThis.fetch,
      timing: { firstChunk: 50, firstPart: 50, stall: 50, retryBudget: 200, backoff: 1 },
    });
    agent.model((call) => model.stream(call));
    const chunks = chunksOf((await agent.ask('c', 'When do you open?', eventStream)).body);
    expect(textOf(chunks)).toBe(quoted);
    expect(ofType(chunks, 'source-url')).toMatchObject([{ url: 'https://a.example/hours' }]);
    expect(await agent.turns()).toMatchObject([
      { status: 'completed', modelId: 'quoting', inputTokens: 0, outputTokens: 0 },
    ]);
  },
);

const script = [
  { when: 'refund', steps: [{ call: 'refund' }, { fail: 'It is down.' }] },
  { when: 'look', steps: [{ call: 'search_knowledge', input: { query: 'open' } }, { fail: 'It is down.' }] },
  { when: 'halfway', steps: [{ say: 'We op' }, { fail: 'It is down.' }] },
  { when: 'fail', steps: [{ fail: 'It is down.' }] },
  { steps: [{ say: 'Hello there.' }] },
];

test('a search of the model that failed afterwards is quoted; the next turn is the model’s again', async () => {
  const agent = await agentWith({}, script);
  expect((await agent.ask('c', 'look: when do you open?')).body.text).toBe(quoted);
  expect((await agent.ask('c', 'hi')).body.text).toBe('Hello there.');
  expect(await agent.turns()).toMatchObject([{ modelId: 'quoting' }, { modelId: 'scripted' }]);
});

test('once the day’s tokens are spent, its agent quotes; without a fallback no turn begins', async () => {
  const limits = { tokensPerDay: 1 };
  const agent = await agentWith({ limits }, script);
  expect((await agent.ask('c', 'hi')).body.text).toBe('Hello there.');
  expect((await agent.ask('c', 'When do you open?')).body.text).toBe(quoted);
  const plain = await agentWith({ limits, fallback: undefined }, script);
  expect((await plain.ask('c', 'hi')).status).toBe(200);
  expect((await plain.ask('c', 'When do you open?')).status).toBe(429);
});

test.each([
  ['a tool was called in it', 'refund, please', {}],
  ['a part of its answer was read', 'halfway', {}],
  ['its agent names no fallback', 'fail', { fallback: undefined }],
])('a turn still fails where %s', async (_why, question, fields) => {
  const agent = await agentWith(fields, script);
  const refund = { agentId: agent.agentId, kind: 'http', name: 'refund', description: 'A tool' };
  await service.settings('POST', '/tools', {
    ...refund,
    parameters: { type: 'object' },
    request: { method: 'POST', url: `${service.endpoint.url}/refund` },
  });
  service.endpoint.answers('/refund', { refunded: true });
  expect((await agent.ask('c', question)).status).toBe(502);
  expect(await agent.turns()).toMatchObject([{ status: 'failed', modelId: 'scripted' }]);
});
