import { expect, test } from 'vitest';
import {
  chatService,
  chunksOf,
  eventStream,
  plainText,
  textOf,
  userTexts,
} from '../../testing/chat-service.ts';

const service = await chatService();
const { endpoint } = service;
const hold = { name: 'hold', parameters: { type: 'object' } };

const user = (id: string, text: string) => ({ id, role: 'user', parts: [{ type: 'text', text }] });

test('the transcript is replayed whole on every turn, the replies with it', async () => {
  const agent = await service.agent([{ steps: [{ say: 'You said {{input}}.' }] }]);
  for (const text of ['one', 'two', 'three']) await agent.ask('c', text);
  expect(agent.prompts().at(-1)).toMatchObject([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: [{ type: 'text', text: 'You said one.' }] },
    { role: 'user', content: 'two' },
    { role: 'assistant', content: [{ type: 'text', text: 'You said two.' }] },
    { role: 'user', content: 'three' },
  ]);
});

test('what outgrows the context is summed up in the prompt, and stays whole in the transcript', async () => {
  const agent = await service.agent(
    [{ when: 'who', steps: [{ say: '{{recall:my name is (\\w+)}}' }] }, { steps: [{ say: 'ok' }] }],
    { agent: { contextTokens: 1_000 } },
  );
  await agent.ask('c', `My name is Ida. ${'x'.repeat(3_500)}`);
  const answer = await agent.ask('c', `Second. ${'y'.repeat(800)}`);
  expect(answer.body.text).toBe('ok');
  const compacted = agent.prompts().at(-1);
  expect(userTexts(compacted)[0]).toMatch(/Summary of \d+ messages\./);
  expect(JSON.stringify(compacted)).not.toContain('My name is Ida');
  expect((await agent.ask('c', 'who')).body.text).toBe('nothing');
  await service.settings('PATCH', `/agents/${agent.agentId}`, { contextTokens: 1_000_000 });
  expect(JSON.stringify(agent.prompts().at(-1))).not.toContain('My name is Ida');
});

test.each([
  ['JSON', {}],
  ['plain text', plainText],
  ['event stream', eventStream],
])(
  'a failure before the first byte is a status, and the retry does not double the message: %s',
  async (_, mode) => {
    const agent = await service.agent([
      { when: 'fail', steps: [{ fail: 'canary: boom at https://x.example' }] },
    ]);
    const failed = await agent.ask('c', 'fail', mode);
    expect(failed.status).toBe(502);
    expect(failed.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(failed.body).toEqual({
      ok: false,
      code: 'MODEL_FAILED',
      error: expect.stringMatching(/./),
      requestId: failed.headers.get('x-request-id'),
      cause: { code: 'MODEL_REJECTED', message: expect.stringMatching(/./) },
    });
    expect(JSON.stringify(failed.body)).not.toMatch(/canary|example/);
    await service.settings('PATCH', `/agents/${agent.agentId}`, {
      model: { provider: 'scripted', script: [{ steps: [{ say: 'Now it works.' }] }] },
    });
    const retried = await agent.ask('c', 'fail');
    expect(retried.body.text).toBe('Now it works.');
    expect(userTexts(agent.prompts().at(-1))).toEqual(['fail']);
  },
);

const midway = [
  { when: 'fail', steps: [{ say: 'Half an answer' }, { call: 'hold' }, { fail: 'canary: boom' }] },
];

test('a failure after the first byte: JSON has a status all the same', async () => {
  endpoint.answers('/hold', 'held');
  const agent = await service.agent(midway, { tools: [hold] });
  const failed = await agent.ask('c', 'fail');
  expect(failed.status).toBe(502);
  expect(failed.body).toMatchObject({ ok: false, code: 'MODEL_FAILED' });
});

test('a failure after the first byte: the event stream says so in words for the visitor, then [DONE]', async () => {
  endpoint.answers('/hold', 'held');
  const agent = await service.agent(midway, { tools: [hold] });
  const failed = await agent.ask('c', 'fail', eventStream);
  expect(failed.status).toBe(200);
  const chunks = chunksOf(failed.body);
  expect(textOf(chunks)).toBe('Half an answer');
  expect(chunks.at(-1)).toEqual({ type: 'error', errorText: expect.stringMatching(/./) });
  expect(failed.body).not.toContain('canary');
  expect(chunks.some(({ type }) => type === 'finish')).toBe(false);
});

test('a failure after the first byte: the plain text is cut off, not ended', async () => {
  endpoint.answers('/hold', 'held');
  const agent = await service.agent(midway, { tools: [hold] });
  const response = await agent.post({ id: 'c', text: 'fail' }, plainText);
  expect(response.status).toBe(200);
  let text = '';
  const read = async () => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
  };
  await expect(read()).rejects.toThrow();
  expect('Half an answer'.startsWith(text)).toBe(true);
  const retried = await agent.ask('c', 'fail');
  expect(retried.status).toBe(502);
  expect(userTexts(agent.prompts().at(-1))).toEqual(['fail']);
});

test('a failed turn in the middle leaves the turns around it', async () => {
  const agent = await service.agent([
    { when: 'fail', steps: [{ say: 'Half' }, { fail: 'boom' }] },
    { steps: [{ say: 'ok' }] },
  ]);
  await agent.ask('c', 'one');
  expect((await agent.ask('c', 'fail')).status).toBe(502);
  await agent.ask('c', 'two');
  expect(userTexts(agent.prompts().at(-1))).toEqual(['one', 'two']);
  expect(JSON.stringify(agent.prompts().at(-1))).not.toContain('Half');
});

test('the same id several times at once: one turn after the other, in the order of arrival', async () => {
  const agent = await service.agent(
    [{ when: 'first', steps: [{ call: 'order' }, { say: 'ok' }] }, { steps: [{ say: '{{recall:(.+)}}' }] }],
    { tools: [{ ...hold, name: 'order' }] },
  );
  const first = agent.ask('c', 'first');
  const held = await endpoint.call('/order');
  const later: Promise<unknown>[] = [];
  for (const mode of [{}, plainText, {}]) {
    const accepted = service.accepted();
    later.push(agent.ask('c', `later ${later.length}`, mode));
    await expect.poll(() => service.accepted()).toBe(accepted + 1);
  }
  const prompts = agent.prompts().length;
  held.answer('go');
  expect((await first).body.text).toBe('ok');
  await Promise.all(later);
  expect(agent.prompts().length).toBe(prompts + 4);
  expect(userTexts(agent.prompts().at(-1))).toEqual(['first', 'later 0', 'later 1', 'later 2']);
});

test('more than ten messages that wait are too many', async () => {
  const agent = await service.agent([{ steps: [{ call: 'full' }, { say: 'ok' }] }], {
    tools: [{ ...hold, name: 'full' }],
  });
  const first = agent.ask('c', 'first');
  const held = await endpoint.call('/full');
  endpoint.answers('/full', 'go');
  const sent = Array.from({ length: 12 }, (_, index) => agent.ask('c', `more ${index}`));
  const refused = await Promise.any(
    sent.map(async (answer) =>
      (await answer).status === 429 ? await answer : Promise.reject(new Error('accepted')),
    ),
  );
  expect(refused.body).toMatchObject({ ok: false, code: 'QUEUE_FULL', retryAfter: expect.any(Number) });
  held.answer('go');
  expect((await first).status).toBe(200);
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 429).length).toBe(2);
  expect(statuses.filter((status) => status === 200).length).toBe(10);
});

test('regenerate: the turns from that message on are taken back, then it runs again', async () => {
  const agent = await service.agent([{ steps: [{ say: 'Re: {{input}}' }] }]);
  const send = (id: string, text: string, more: Record<string, unknown> = {}) =>
    agent.send({ id: 'c', message: user(id, text), trigger: 'submit-message', ...more });
  await send('m1', 'one');
  await send('m2', 'two');
  await send('m3', 'three');
  await send('m3', 'three', { trigger: 'regenerate-message' });
  expect(userTexts(agent.prompts().at(-1))).toEqual(['one', 'two', 'three']);
  await send('m2', 'two', { trigger: 'regenerate-message', messageId: 'a2' });
  expect(userTexts(agent.prompts().at(-1))).toEqual(['one', 'two']);
  await send('m4', 'four');
  expect(userTexts(agent.prompts().at(-1))).toEqual(['one', 'two', 'four']);
});

test('edit: the edited message takes the place of the old one and of what followed', async () => {
  const agent = await service.agent([{ steps: [{ say: 'Re: {{input}}' }] }]);
  const send = (id: string, text: string, more: Record<string, unknown> = {}) =>
    agent.send({ id: 'c', message: user(id, text), trigger: 'submit-message', ...more });
  await send('m1', 'one');
  await send('m2', 'two');
  await send('m3', 'three');
  await send('m2', 'two, better', { messageId: 'm2' });
  expect(userTexts(agent.prompts().at(-1))).toEqual(['one', 'two, better']);
  expect(JSON.stringify(agent.prompts().at(-1))).not.toContain('three');
});

test('an edit of a message whose turn failed takes back what followed, too', async () => {
  const agent = await service.agent([{ when: '^fail', steps: [{ fail: 'x' }] }, { steps: [{ say: 'ok' }] }]);
  const send = (id: string, text: string, more: Record<string, unknown> = {}) =>
    agent.send({ id: 'c', message: user(id, text), ...more });
  await send('m1', 'one');
  expect((await send('m2', 'fail')).status).toBe(502);
  await send('m3', 'three');
  await send('m2', 'better', { messageId: 'm2' });
  expect(userTexts(agent.prompts().at(-1))).toEqual(['one', 'better']);
});

test('an edit of a turn that was summed up brings the turns before it back whole', async () => {
  const agent = await service.agent([{ steps: [{ say: 'ok' }] }], { agent: { contextTokens: 1_000 } });
  const send = (id: string, text: string, more: Record<string, unknown> = {}) =>
    agent.send({ id: 'c', message: user(id, text), ...more });
  await send('m1', 'one');
  await send('m2', `canary ${'x'.repeat(2_400)}`);
  await send('m3', `three ${'y'.repeat(800)}`);
  expect(userTexts(agent.prompts().at(-1))[0]).toMatch(/Summary/);
  await send('m2', 'two', { messageId: 'm2' });
  expect(userTexts(agent.prompts().at(-1))).toEqual(['one', 'two']);
});

test('an edit goes back behind the last summary, to the one before it, and no further', async () => {
  const agent = await service.agent([{ steps: [{ say: 'ok' }] }], { agent: { contextTokens: 1_000 } });
  const send = (id: string, text: string, more: Record<string, unknown> = {}) =>
    agent.send({ id: 'c', message: user(id, text), ...more });
  const first = 'Summary of the conversation so far:\nSummary of 2 messages.';
  await send('m1', `one ${'x'.repeat(2_400)}`);
  await send('m2', `two ${'x'.repeat(2_400)}`);
  expect(userTexts(agent.prompts().at(-1))[0]).toBe(first);
  await send('m3', `three ${'x'.repeat(2_400)}`);
  expect(userTexts(agent.prompts().at(-1))[0]).not.toBe(first);
  await send('m2', 'two, better', { messageId: 'm2' });
  expect(userTexts(agent.prompts().at(-1))).toEqual([first, 'two, better']);
  await send('m1', 'one, better', { messageId: 'm1' });
  expect(userTexts(agent.prompts().at(-1))).toEqual([first, 'two, better', 'one, better']);
});

test('regenerate with the last text takes back a turn that a summary stands for', async () => {
  const script = [{ when: '^fail', steps: [{ fail: 'x' }] }, { steps: [{ say: 'ok' }] }];
  const agent = await service.agent(script, { agent: { contextTokens: 1_000 } });
  const last = `one ${'x'.repeat(2_400)}`;
  await agent.send({ id: 'c', text: last });
  expect((await agent.send({ id: 'c', text: `fail ${'y'.repeat(2_400)}` })).status).toBe(502);
  await agent.send({ id: 'c', text: last, trigger: 'regenerate-message' });
  expect(userTexts(agent.prompts().at(-1))).toEqual([last]);
});

test('regenerate of a message that nobody knows is a turn like any other', async () => {
  const agent = await service.agent([{ steps: [{ say: 'ok' }] }]);
  await agent.send({ id: 'c', message: user('m1', 'one') });
  await agent.send({ id: 'c', message: user('m9', 'nine'), trigger: 'regenerate-message' });
  expect(userTexts(agent.prompts().at(-1))).toEqual(['one', 'nine']);
});

test('regenerate with a text runs the last message again when it is that text', async () => {
  const agent = await service.agent([{ steps: [{ say: 'ok' }] }]);
  await agent.ask('c', 'one');
  await agent.ask('c', 'two');
  await agent.send({ id: 'c', text: 'two', trigger: 'regenerate-message' });
  expect(userTexts(agent.prompts().at(-1))).toEqual(['one', 'two']);
});

test('regenerate of the last message by an id that it was not sent with runs it again', async () => {
  const agent = await service.agent([{ steps: [{ say: 'ok' }] }]);
  await agent.send({ id: 'c', message: user('m1', 'one') });
  await agent.ask('c', 'two');
  await agent.send({ id: 'c', message: user('restored', 'two'), trigger: 'regenerate-message' });
  expect(userTexts(agent.prompts().at(-1))).toEqual(['one', 'two']);
});

test('files of a UI message reach the model, in this turn and in later ones', async () => {
  const agent = await service.agent([{ steps: [{ say: 'seen' }] }]);
  const bytes = Buffer.from('not really a picture');
  const file = {
    type: 'file',
    mediaType: 'image/png',
    filename: 'a.png',
    url: `data:image/png;base64,${bytes.toString('base64')}`,
  };
  const message = { id: 'm1', role: 'user', parts: [file, { type: 'text', text: 'What is this?' }] };
  expect((await agent.send({ id: 'c', message })).body.text).toBe('seen');
  await agent.ask('c', 'And now?');
  for (const prompt of agent.prompts()) {
    expect(prompt[0]).toEqual({
      role: 'user',
      content: [
        {
          type: 'file',
          mediaType: 'image/png',
          filename: 'a.png',
          data: bytes.toString('base64'),
        },
        { type: 'text', text: 'What is this?' },
      ],
    });
  }
});
