import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { SessionEvent } from '@parley/protocol/event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAgent, type TestAgent } from '../server.ts';
import { openModelEndpoint } from './model-endpoint.ts';
import { createRestartableService, type RestartableService } from './restartable-service.ts';
import { randomFrom } from './random.ts';
import { followSession } from './reader.ts';

const wholeText = Array.from({ length: 250 }, (_, index) =>
  index % 7 === 0 ? `${index}:\n\n👩‍🚀 ` : `wörd-${index}  `,
).join('');
const script = [{ steps: [{ say: wholeText, delayMs: 4 }] }];
/** Ten seconds, of which every kill here takes place in the first few. */
const slowScript = [{ steps: [{ say: wholeText, delayMs: 40 }] }];

vi.setConfig({ testTimeout: 120_000 });

function said(events: readonly SessionEvent[]): string {
  return events.map((event) => (event.type === 'message.appended' ? event.data.messageDelta : '')).join('');
}

async function service(environment: Record<string, string> = {}): Promise<RestartableService> {
  const restartable = await createRestartableService(environment);
  onTestFinished(restartable.close);
  return restartable;
}

const post = (url: string, path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Sends to the Chat interface and kills the service once something of the answer is there. */
async function killWhileAnswering(
  restartable: RestartableService,
  agent: TestAgent,
  body: unknown,
  key?: string,
): Promise<void> {
  const { url } = await restartable.current();
  const response = await post(url, '/api/v1/agent/chat', agent.secretKey, body, {
    accept: 'text/plain',
    ...(key && { 'idempotency-key': key }),
  });
  expect(response.status).toBe(200);
  await response.body?.getReader().read();
  await restartable.kill();
}

test('a text that is cut off again and again goes on to be exactly what it should', async () => {
  const restartable = await service();
  const agent = await createAgent(await restartable.start(), slowScript);
  const random = randomFrom(7);
  const { url } = await restartable.current();
  const readers = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const response = await post(url, '/parley/v1/session', agent.secretKey, { message: 'Go on' });
      const { sessionId } = (await response.json()) as { sessionId: string };
      return followSession(restartable, agent, sessionId);
    }),
  );
  onTestFinished(() => readers.forEach((reader) => reader.stop()));

  for (let kills = 0; kills < 4; kills += 1) {
    await Promise.all(
      readers.map((reader) => {
        const { length } = said(reader.events);
        return reader.until((events) => said(events).length > length || said(events) === wholeText);
      }),
    );
    await setTimeout(random() * 250);
    await restartable.kill();
    await restartable.start();
  }
  for (const reader of readers) {
    const { events } = reader;
    await reader.until(() => events.at(-1)?.type === 'session.waiting');
    const completed = events.map((event) =>
      event.type === 'message.completed' ? (event.data.message ?? '') : '',
    );
    expect(said(events)).toBe(wholeText);
    expect(completed.join('')).toBe(wholeText);
    expect(events.filter(({ type }) => type === 'step.started').length).toBeGreaterThan(1);
  }
});

test('a Chat turn that is repeated under its key after a kill answers the whole text once', async () => {
  const restartable = await service();
  const agent = await createAgent(await restartable.start(), script);
  const key = randomUUID();
  const body = { id: 'conversation', text: 'Go on' };
  await killWhileAnswering(restartable, agent, body, key);
  const { url } = await restartable.start();
  const repeat = (accept: string) =>
    post(url, '/api/v1/agent/chat', agent.secretKey, body, { accept, 'idempotency-key': key });
  expect(await (await repeat('text/plain')).text()).toBe(wholeText);
  expect(await (await repeat('application/json')).json()).toMatchObject({
    id: 'conversation',
    text: wholeText,
  });
});

test('a Chat turn that is sent anew after a kill is answered, and its message is in the transcript once', async () => {
  const words = Array.from({ length: 40 }, (_, index) => `word-${index} `);
  // The turn, and what goes on with it, are still at it when they are killed, and when the message comes anew.
  const isHeld = (messages: readonly unknown[], calls: number) => calls === 1 || messages.length > 1;
  let isOver = false;
  const model = await openModelEndpoint(words, 10, (...call) => !isOver && isHeld(...call));
  onTestFinished(() => model.close());
  const restartable = await service({ EGRESS_ALLOW: model.address });
  const settings = { provider: 'openai-compatible', model: 'paced', baseUrl: model.url, apiKey: 'key' };
  const agent = await createAgent(await restartable.start(), [], { model: settings });
  const chat = { id: 'conversation' };
  await killWhileAnswering(restartable, agent, { ...chat, text: 'Tell me' });

  const { url } = await restartable.start();
  const answer = await post(url, '/api/v1/agent/chat', agent.secretKey, { ...chat, text: 'Tell me' });
  expect(await answer.json()).toEqual({
    ...chat,
    text: words.join(''),
    usage: { inputTokens: 0, outputTokens: 0 },
  });
  isOver = true;
  await post(url, '/api/v1/agent/chat', agent.secretKey, { ...chat, text: 'Thank you' });
  expect(model.prompts.at(-1)).toEqual([
    { role: 'user', content: 'Tell me' },
    { role: 'assistant', content: words.join('') },
    { role: 'user', content: 'Thank you' },
  ]);
});

test('what a turn had said before a kill counts as tokens, and what it had reserved is free once it is done', async () => {
  const restartable = await service();
  const pause = { wait: 4_000 };
  const steps = [{ say: 'word ', repeat: 20, delayMs: 10 }, pause, { say: 'word ', repeat: 40, delayMs: 10 }];
  // A busy machine reads the first words, and kills, while it pauses.
  const agent = await createAgent(await restartable.start(), [{ steps }]);
  const begun = await post((await restartable.current()).url, '/parley/v1/session', agent.secretKey, {
    message: 'Go on',
  });
  const { sessionId } = (await begun.json()) as { sessionId: string };
  const reader = followSession(restartable, agent, sessionId);
  onTestFinished(() => reader.stop());
  await reader.until((events) => said(events).length >= 'word '.length * 20);
  await restartable.kill();
  const server = await restartable.start();
  await reader.until((events) => events.at(-1)?.type === 'session.waiting');

  const askWith = async (tokensPerDay: number) => {
    await server.settings('PATCH', `/agents/${agent.agentId}`, { limits: { tokensPerDay } });
    const body = { id: 'another', text: 'Go on' };
    return (await post(server.url, '/api/v1/agent/chat', agent.secretKey, body)).status;
  };
  // The call that went on reports 62 words read and said, those of the one that was cut off among them; 1,000 and
  // more were reserved.
  expect(await askWith(80)).toBe(429);
  expect(await askWith(900)).toBe(200);
});
