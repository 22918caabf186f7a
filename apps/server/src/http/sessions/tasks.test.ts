import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Model } from '../../model/model.ts';
import { chatService } from '../../testing/chat-service.ts';
import { newAgent } from '../../testing/new-agent.ts';
import { testService } from '../../testing/test-service.ts';
import { testStore } from '../../testing/test-store.ts';
import { Visitor, VisitorSession, dataOf, said, typesOf } from '../../testing/visitor.ts';

const task = { mode: 'task' };
const script = [
  { when: 'slow', steps: [{ say: 'word ', repeat: 3_000, delayMs: 20 }] },
  { when: 'fail', steps: [{ say: 'Half an ans' }, { fail: 'boom' }] },
  { when: 'look up', steps: [{ call: 'look_up', input: {} }, { say: 'Found {{result}}.' }] },
  { steps: [{ say: '{{input}}' }] },
];
const service = await chatService();
const agent = await service.agent(script, {
  tools: [
    { name: 'look_up', visibility: 'full' },
    { name: 'erase', approval: 'always' },
  ],
});
const visitor = new Visitor(service.url, agent.secret.key);

test('the session is completed with its only turn, and so is its stream', async () => {
  const session = await visitor.start('hello', task);
  const reader = await session.follow();
  const events = await reader.rest();
  expect(said(events)).toEqual(['hello']);
  expect(typesOf(events).slice(-3)).toEqual(['step.completed', 'turn.completed', 'session.completed']);
  expect(typesOf(events)).not.toContain('session.waiting');
});

test('one request starts a task and reads it to its end', async () => {
  const accept = { accept: 'application/x-ndjson' };
  const { status, body } = await visitor.post('', { message: 'hello', ...task }, accept);
  expect(status).toBe(202);
  const lines = String(body).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type).slice(-2)).toEqual([
    'turn.completed',
    'session.completed',
  ]);
});

test('tools without approval are called', async () => {
  const session = await visitor.start('look up', task);
  const reader = await session.follow();
  const call = await service.endpoint.call('/look_up');
  call.answer({ found: 'it' });
  expect(said(await reader.rest()).at(-1)).toBe('Found {"found":"it"}.');
});

test('no follow-up is taken, neither while it runs nor after', async () => {
  const session = await visitor.start('slow', task);
  const reader = await session.follow();
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  const refused = { status: 404, body: { code: 'SESSION_NOT_RESUMABLE' } };
  expect(await session.send({ message: 'and?' })).toMatchObject(refused);
  expect((await session.control('clear')).body).toEqual({ ok: true, status: 'no_active_session' });
  expect((await session.control('compact')).body).toEqual({ ok: true, status: 'no_active_session' });
  expect((await session.cancel()).body).toMatchObject({ status: 'accepted' });
  expect(typesOf(await reader.rest()).slice(-2)).toEqual(['turn.cancelled', 'session.completed']);
  expect(await session.send({ message: 'and?' })).toMatchObject(refused);
  expect((await session.cancel()).body).toMatchObject({ status: 'no_active_turn' });
});

test('a task that fails is a session that failed', async () => {
  const session = await visitor.start('fail', task);
  const events = await (await session.follow()).rest();
  expect(typesOf(events).slice(-3)).toEqual(['step.failed', 'turn.failed', 'session.failed']);
  const [turn] = dataOf(events, 'turn.failed');
  expect(dataOf(events, 'session.failed')).toEqual([
    { code: turn?.code, message: turn?.message, details: turn?.details, sessionId: session.id },
  ]);
  expect((await session.send({ message: 'again' })).status).toBe(404);
});

test('a task that cannot even begin is a session that failed', async () => {
  const own = await testService();
  const adminToken = { value: own.adminToken, made: true };
  const parameters = { type: 'object' };
  const look = { name: 'look_up', parameters, request: { method: 'GET', url: 'https://tools.example/' } };
  const { key } = await newAgent({ url: own.url, adminToken }, script, [look]);
  await own.stored.sql(`UPDATE tools SET config = '{}'`);
  const session = await new Visitor(own.url, key).start('hello', task);
  const events = await (await session.follow()).rest();
  expect(typesOf(events)).toEqual(['session.started', 'turn.started', 'turn.failed', 'session.failed']);
});

test('whoever ends a running task is told that it ended, and its log says so once', async () => {
  const session = await visitor.start('slow', task);
  const reader = await session.follow();
  await reader.until(({ events }) => events.some(({ type }) => type === 'message.appended'));
  expect((await session.control(`${session.id}/end`)).body).toMatchObject({ ok: true, status: 'completed' });
  const types = typesOf(await reader.rest());
  expect(types.filter((type) => type.startsWith('session.'))).toEqual([
    'session.started',
    'session.completed',
  ]);
});

test('the model is offered nothing that asks, and told so when it asks all the same', async () => {
  const offered: string[][] = [];
  const asking = await service.agent([], {
    tools: [
      { name: 'look_up' },
      { name: 'erase', approval: 'always' },
      { name: 'erase_once', approval: 'once' },
    ],
  });
  const model: Model['stream'] = async function* ({ tools, messages }) {
    offered.push(tools.map(({ name }) => name));
    const usage = { inputTokens: 1, outputTokens: 1 };
    if (messages.at(-1)?.role === 'tool') {
      yield { type: 'text', text: 'I cannot ask.' };
      yield {
        type: 'finish',
        finishReason: 'stop',
        usage,
        content: [{ type: 'text', text: 'I cannot ask.' }],
      };
      return;
    }
    const calls = [
      { callId: 'a', toolName: 'ask_question', input: { prompt: 'Which?' } },
      { callId: 'b', toolName: 'erase', input: {} },
    ];
    for (const call of calls) yield { type: 'tool-call', ...call };
    const content = calls.map(({ callId, ...call }) => ({
      type: 'tool-call' as const,
      toolCallId: callId,
      ...call,
    }));
    yield { type: 'finish', finishReason: 'tool-calls', usage, content };
  };
  asking.model(model);
  const session = await new Visitor(service.url, asking.secret.key).start('go', {
    ...task,
    capabilities: { requestInput: true },
  });
  const events = await (await session.follow()).rest();
  expect(offered).toEqual([['look_up'], ['look_up']]);
  const told = JSON.stringify(asking.prompts().at(-1));
  expect(told).toContain('There is no tool named ask_question.');
  expect(told).toContain('There is no tool named erase.');
  expect(said(events)).toEqual(['I cannot ask.']);
  expect(typesOf(events)).not.toContain('input.requested');
});

test('functions of a page are refused: nothing can be handed back', async () => {
  const clientTools = [{ name: 'open_page', description: 'Opens.', parameters: { type: 'object' } }];
  const { status, body } = await visitor.post('', { message: 'go', ...task, clientTools });
  expect(status).toBe(400);
  expect(body.error).toBe("Expected no 'clientTools': a task hands no calls to a page.");
  expect((await visitor.post('', { message: 'go', ...task, clientTools: [] })).status).toBe(202);
});

test('a task that a crash cut off goes on, and ends as any', async () => {
  const { host, url } = service.endpoint;
  const { environment } = await testStore();
  const start = async () => {
    const env = { ...process.env, ...environment, PORT: '0' };
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../main.ts')], {
      env: { ...env, EGRESS_ALLOW: host },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [ready] = (await once(child, 'message')) as [{ url: string; adminToken: string }];
    return { child, ...ready };
  };
  const first = await start();
  const adminToken = { value: first.adminToken, made: true };
  const parameters = { type: 'object' };
  const look = { name: 'look_up', parameters, request: { method: 'GET', url: `${url}/crash` } };
  const { key } = await newAgent({ url: first.url, adminToken }, script, [look]);
  const { id, token } = await new Visitor(first.url, key).start('look up', task);
  await service.endpoint.call('/crash');
  first.child.kill('SIGKILL');

  const second = await start();
  const again = await service.endpoint.call('/crash');
  again.answer('it');
  const session = new VisitorSession(new Visitor(second.url, key), id, token);
  const events = await (await session.follow()).rest();
  expect(said(events).at(-1)).toBe('Found it.');
  expect(typesOf(events).slice(-2)).toEqual(['turn.completed', 'session.completed']);
});
