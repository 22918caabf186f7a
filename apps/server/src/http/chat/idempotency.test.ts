import { expect, test } from 'vitest';
import {
  type PostInit,
  chatService,
  chunksOf,
  eventStream,
  ofType,
  plainText,
  textOf,
  userTexts,
} from '../../testing/chat-service.ts';

const service = await chatService({ graceMs: 20 });
const { endpoint } = service;

const script = [
  { when: '^hold', steps: [{ say: 'Wait. ' }, { call: 'hold' }, { say: 'Got {{result}}.' }] },
  {
    when: '^ask',
    steps: [{ ask: { prompt: 'Which?', allowFreeform: true } }, { say: 'You said {{result}}.' }],
  },
  { steps: [{ say: 'Re: {{input}}' }] },
];

const once = (key: string, init: PostInit = {}): PostInit => ({
  ...init,
  headers: { 'idempotency-key': key.padEnd(16, '.') },
});

async function holding(more = {}) {
  const path = `hold-${(agents += 1)}`;
  const tool = { name: 'hold', request: { method: 'POST', url: `${endpoint.url}/${path}` } };
  const agent = await service.agent(script, { tools: [tool], ...more });
  return { agent, call: () => endpoint.call(`/${path}`) };
}
let agents = 0;

test('a repeat returns the stored reply, in the mode it asks for, without another turn', async () => {
  const { agent } = await holding();
  expect((await agent.ask('c', 'hi', once('k'))).body.text).toBe('Re: hi');
  await agent.ask('c', 'something else');
  const calls = agent.prompts().length;
  expect((await agent.ask('c', 'hi', once('k'))).body).toMatchObject({ id: 'c', text: 'Re: hi' });
  expect((await agent.ask('c', 'hi', once('k', plainText))).body).toBe('Re: hi');
  const chunks = chunksOf((await agent.ask('c', 'hi', once('k', eventStream))).body);
  expect(textOf(chunks)).toBe('Re: hi');
  expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' });
  expect(agent.prompts().length).toBe(calls);
});

test('a repeat joins the turn that runs; one reader may leave', async () => {
  const { agent, call } = await holding();
  const abort = new AbortController();
  const first = agent.post({ id: 'c', text: 'hold' }, { ...once('k'), signal: abort.signal });
  const held = await call();
  // It has joined once it is answered.
  const stream = await agent.post({ id: 'c', text: 'hold' }, once('k', eventStream));
  const json = agent.ask('c', 'hold', once('k'));
  abort.abort();
  await expect(first).rejects.toThrow();
  await agent.ask('probe', 'probe');
  held.answer('it');
  expect(textOf(chunksOf(await stream.text()))).toBe('Wait. Got it.');
  expect((await json).body.text).toBe('Wait. Got it.');
  expect(userTexts(agent.prompts().at(-1))).toEqual(['hold']);
});

test('ten repeats at once are one turn', async () => {
  const { agent } = await holding();
  const answers = await Promise.all(Array.from({ length: 10 }, () => agent.ask('c', 'hi', once('k'))));
  expect(answers.map(({ body }) => body.text)).toEqual(Array.from({ length: 10 }, () => 'Re: hi'));
  expect(agent.prompts()).toHaveLength(1);
});

test('another body under the same key is a conflict; a field that is ignored makes no other body', async () => {
  const { agent } = await holding();
  await agent.ask('c', 'hi', once('k'));
  const answer = await agent.ask('c', 'ho', once('k'));
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ ok: false, code: 'IDEMPOTENCY_CONFLICT' });
  expect((await agent.send({ id: 'c', text: 'hi', extra: 1 }, once('k'))).status).toBe(200);
});

test('the scope is the key and the conversation', async () => {
  const { agent } = await holding();
  const { key } = await agent.key('secret');
  await agent.ask('c', 'one', once('k'));
  expect((await agent.ask('d', 'two', once('k'))).body.text).toBe('Re: two');
  expect((await agent.ask('c', 'three', { ...once('k'), key })).body.text).toBe('Re: three');
});

test('a turn that failed is not stored: its repeat runs, and does not double the message', async () => {
  const agent = await service.agent([{ steps: [{ fail: 'boom' }] }]);
  expect((await agent.ask('c', 'hi', once('k'))).status).toBe(502);
  expect((await agent.ask('c', 'hi', once('k', eventStream))).status).toBe(502);
  await service.settings('PATCH', `/agents/${agent.agentId}`, { model: { provider: 'scripted', script } });
  expect((await agent.ask('c', 'hi', once('k'))).body.text).toBe('Re: hi');
  expect((await agent.ask('c', 'hi', once('k'))).body.text).toBe('Re: hi');
  expect(agent.prompts()).toHaveLength(3);
  expect(userTexts(agent.prompts().at(-1))).toEqual(['hi']);
});

test('a turn whose client went away is not stored either', async () => {
  const { agent, call } = await holding();
  const abort = new AbortController();
  const first = agent.post({ id: 'c', text: 'hold' }, { ...once('k'), signal: abort.signal });
  const held = await call();
  abort.abort();
  await expect(first).rejects.toThrow();
  await held.closed;
  // The call ends before the turn does, whose end is written first.
  await expect.poll(async () => (await agent.resume('c')).status).toBe(204);
  const again = agent.ask('c', 'hold', once('k'));
  (await call()).answer('it');
  expect((await again).body.text).toBe('Wait. Got it.');
});

test('the answers of a message have 20,000 characters together, and are 32 at most', async () => {
  const { agent } = await holding({ agent: { approvalsOnChat: true } });
  const asked = chunksOf((await agent.ask('c', 'ask', eventStream)).body);
  const { toolCallId } = ofType(asked, 'tool-input-available')[0]!;
  const answered = (...outputs: string[]) => {
    const parts = outputs.map((output) => ({
      type: 'tool-ask_question',
      toolCallId,
      state: 'output-available',
      output,
    }));
    return agent.send({ id: 'c', message: { id: 'a1', role: 'assistant', parts } });
  };
  const of = (length: number) => 'x'.repeat(length);
  const message = 'Expected answers of at most 20000 characters together.';
  const issues = [{ path: ['message', 'parts'], message }];
  expect(await answered(of(10_000), of(10_001))).toMatchObject({ status: 400, body: { issues } });
  const many = Array.from({ length: 33 }, () => 'x');
  expect(await answered(...many)).toMatchObject({
    status: 400,
    body: { error: 'Expected at most 32 answers.' },
  });
  expect((await answered(of(10_000), of(10_000))).status).toBe(200);
});

test('the answer to a question may be repeated, too', async () => {
  const { agent } = await holding({ agent: { approvalsOnChat: true } });
  const asked = chunksOf((await agent.ask('c', 'ask', eventStream)).body);
  const { toolCallId } = ofType(asked, 'tool-input-available')[0]!;
  const part = { type: 'tool-ask_question', toolCallId, state: 'output-available', output: 'this' };
  const body = { id: 'c', message: { id: 'a1', role: 'assistant', parts: [part] } };
  expect((await agent.send(body, once('k'))).body.text).toBe('You said this.');
  expect((await agent.send(body, once('k'))).body.text).toBe('You said this.');
  const other = { ...body, message: { ...body.message, parts: [{ ...part, output: 'that' }] } };
  expect((await agent.send(other, once('k'))).status).toBe(409);
  expect((await agent.send(body, once('new'))).status).toBe(400);
  expect((await agent.send(body)).status).toBe(400);
});

test.each(['', 'a key with blanks', 'x'.repeat(15), 'x'.repeat(201)])(
  '"%s" is no Idempotency-Key',
  async (key) => {
    const { agent } = await holding();
    expect((await agent.ask('c', 'hi', { headers: { 'idempotency-key': key } })).status).toBe(400);
  },
);
