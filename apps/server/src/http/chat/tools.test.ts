import type { UiMessageChunk } from '@parley/protocol/ui-message-chunk';
import { expect, test } from 'vitest';
import { chatService, chunksOf, eventStream, ofType, plainText, textOf } from '../../testing/chat-service.ts';

const service = await chatService();
const { endpoint } = service;
endpoint.answers('/weather', { degrees: 21, canary: 'sunny' });
endpoint.answers('/broken', 'canary: stack trace at https://internal.example', 500);

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { name: 'weather', parameters: city, visibility: 'full' };
const script = [
  {
    when: 'weather in (\\w+)',
    steps: [
      { say: 'Looking. ' },
      { call: 'weather', input: { city: '{{1}}' } },
      { say: 'It is {{result}}.' },
    ],
  },
  { when: 'broken', steps: [{ call: 'broken' }, { say: 'It failed.' }] },
  { when: 'wrong', steps: [{ call: 'weather', input: { city: 7 } }, { say: 'Sorry: {{result}}' }] },
  {
    when: 'both',
    steps: [
      { call: 'weather', input: { city: 'Oslo' } },
      { call: 'weather', input: { city: 'Bern' } },
      { say: 'Done.' },
    ],
  },
  { when: 'think', steps: [{ reason: 'Considering it.' }, { say: 'Done.' }] },
  { when: 'cut', steps: [{ say: 'Too lo' }, { finish: 'length' }] },
  { when: 'filtered', steps: [{ say: 'I' }, { finish: 'content-filter' }] },
  { when: 'hidden', steps: [{ call: 'sessions_only' }, { say: 'Done.' }] },
];

const types = (chunks: readonly UiMessageChunk[]) => chunks.map(({ type }) => type);

test('a tool runs inline, and the reply is the text of every step, in every mode', async () => {
  const agent = await service.agent(script, { tools: [weather] });
  const answer = await agent.ask('c', 'weather in Oslo', eventStream);
  const chunks = chunksOf(answer.body);
  const text = 'Looking. It is {"degrees":21,"canary":"sunny"}.';
  expect(textOf(chunks)).toBe(text);
  expect((await agent.ask('c', 'weather in Oslo')).body.text).toBe(text);
  expect((await agent.ask('c', 'weather in Oslo', plainText)).body).toBe(text);
  const known = types(chunks).filter((type) => type !== 'tool-input-delta' && type !== 'text-delta');
  const first = ['start-step', 'text-start', 'tool-input-start', 'text-end', 'tool-input-available'];
  const outcome = ['tool-output-available', 'finish-step'];
  const second = ['start-step', 'text-start', 'text-end', 'finish-step'];
  expect(known).toEqual(['start', ...first, ...outcome, ...second, 'finish']);
  const [start] = ofType(chunks, 'tool-input-start');
  expect(start?.toolName).toBe('weather');
  const toolCallId = start!.toolCallId;
  expect(
    ofType(chunks, 'tool-input-delta')
      .map((chunk) => chunk.inputTextDelta)
      .join(''),
  ).toBe('{"city":"Oslo"}');
  expect(ofType(chunks, 'tool-input-available')).toEqual([
    { type: 'tool-input-available', toolCallId, toolName: 'weather', input: { city: 'Oslo' } },
  ]);
  expect(ofType(chunks, 'tool-output-available')).toEqual([
    { type: 'tool-output-available', toolCallId, output: { degrees: 21, canary: 'sunny' } },
  ]);
  expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' });
});

test('two calls of one step have chunks of their own', async () => {
  const agent = await service.agent(script, { tools: [weather] });
  const chunks = chunksOf((await agent.ask('c', 'both', eventStream)).body);
  const inputs = ofType(chunks, 'tool-input-available');
  expect(inputs.map(({ input }) => input)).toEqual([{ city: 'Oslo' }, { city: 'Bern' }]);
  const outputs = ofType(chunks, 'tool-output-available').map(({ toolCallId }) => toolCallId);
  expect(outputs.toSorted()).toEqual(inputs.map(({ toolCallId }) => toolCallId).toSorted());
});

test('what a concealed tool is given and answers reaches secret keys only', async () => {
  const agent = await service.agent(script, { tools: [{ ...weather, visibility: 'status' }] });
  const { key } = await agent.key('publishable');
  const full = await agent.ask('c', 'weather in Oslo', eventStream);
  expect(ofType(chunksOf(full.body), 'tool-output-available')[0]?.output).toMatchObject({ degrees: 21 });
  const status = chunksOf((await agent.ask('c', 'both', { ...eventStream, key })).body);
  expect(JSON.stringify(status)).not.toMatch(/Oslo|canary/);
  const calls = ofType(status, 'tool-input-available');
  expect(calls.map(({ toolName, input }) => [toolName, input])).toEqual([
    ['weather', {}],
    ['weather', {}],
  ]);
  expect(ofType(status, 'tool-output-available').map(({ output }) => output)).toEqual([null, null]);
});

test('a tool that fails does not fail the turn, and tells the visitor nothing of its far side', async () => {
  const agent = await service.agent(script, { tools: [{ name: 'broken', visibility: 'full' }] });
  const answer = await agent.ask('c', 'broken', eventStream);
  const chunks = chunksOf(answer.body);
  expect(ofType(chunks, 'tool-output-error')).toEqual([
    { type: 'tool-output-error', toolCallId: expect.any(String), errorText: 'The tool failed.' },
  ]);
  expect(answer.body).not.toContain('canary');
  expect(textOf(chunks)).toBe('It failed.');
  expect(JSON.stringify(agent.prompts().at(-1))).toContain('canary');
});

test('a tool that does not answer in time', async () => {
  const agent = await service.agent([{ steps: [{ call: 'slow' }, { say: 'It failed.' }] }], {
    tools: [{ name: 'slow', timeoutMs: 1_000 }],
  });
  const chunks = chunksOf((await agent.ask('c', 'slow', eventStream)).body);
  expect(ofType(chunks, 'tool-output-error')[0]?.errorText).toBe('The tool did not answer in time.');
  expect(textOf(chunks)).toBe('It failed.');
});

test('a call with arguments of no use is not made: the client sees it end, the model is told', async () => {
  const agent = await service.agent(script, { tools: [weather] });
  const chunks = chunksOf((await agent.ask('c', 'wrong', eventStream)).body);
  const [start] = ofType(chunks, 'tool-input-start');
  expect(ofType(chunks, 'tool-output-error')).toEqual([
    {
      type: 'tool-output-error',
      toolCallId: start?.toolCallId,
      errorText: 'The tool was not called: its arguments were not valid.',
    },
  ]);
  expect(types(chunks).filter((type) => type === 'finish-step')).toHaveLength(2);
  expect(types(chunks).indexOf('tool-output-error')).toBeLessThan(types(chunks).indexOf('finish-step'));
  expect(textOf(chunks)).toMatch(/^Sorry: ./);
});

test('a tool that does not exist: the model is told, the client sees nothing, the turn goes on', async () => {
  const agent = await service.agent(script);
  const finish = { type: 'finish', usage: {} } as const;
  agent.model(async function* ({ messages }) {
    if (messages.at(-1)?.role === 'tool') {
      yield { type: 'text', text: 'I see.' };
      yield { ...finish, finishReason: 'stop', content: [{ type: 'text', text: 'I see.' }] };
      return;
    }
    const call = { callId: 'call-1', toolName: 'no_such_tool' };
    yield { type: 'tool-input', ...call, delta: '{}' };
    yield { type: 'tool-call', ...call, input: {} };
    const content = { type: 'tool-call', toolCallId: 'call-1', toolName: 'no_such_tool', input: {} } as const;
    yield { ...finish, finishReason: 'tool-calls', content: [content] };
  });
  const answer = await agent.ask('c', 'go', eventStream);
  expect(answer.body).not.toContain('no_such_tool');
  expect(textOf(chunksOf(answer.body))).toBe('I see.');
  expect(JSON.stringify(agent.prompts().at(-1))).toContain('There is no tool named no_such_tool.');
});

test('a tool of the Sessions interface only is not offered', async () => {
  const tools = [{ name: 'sessions_only', interfaces: ['sessions'] }];
  const agent = await service.agent(script, { tools });
  expect((await agent.ask('c', 'hidden')).body.text).toMatch(/^I cannot use sessions_only here\./);
});

test('reasoning is shown when the agent shows it, and is never part of the text', async () => {
  const open = await service.agent(script, { agent: { reasoning: { show: true } } });
  const chunks = chunksOf((await open.ask('c', 'think', eventStream)).body);
  expect(
    ofType(chunks, 'reasoning-delta')
      .map(({ delta }) => delta)
      .join(''),
  ).toBe('Considering it.');
  expect(types(chunks).indexOf('reasoning-end')).toBeLessThan(types(chunks).indexOf('text-start'));
  expect((await open.ask('c', 'think')).body.text).toBe('Done.');
  expect((await open.ask('c', 'think', plainText)).body).toBe('Done.');
  const closed = await service.agent(script);
  expect((await closed.ask('c', 'think', eventStream)).body).not.toContain('Considering');
});

test.each([
  ['weather in Oslo', 'stop'],
  ['cut', 'length'],
  ['filtered', 'error'],
])('the reason why "%s" ends is %s', async (text, finishReason) => {
  const agent = await service.agent(script, { tools: [weather] });
  const chunks = chunksOf((await agent.ask('c', text, eventStream)).body);
  expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason });
});

test('a reason that the contract does not know is sent as stop', async () => {
  const agent = await service.agent(script);
  agent.model(async function* () {
    yield { type: 'text', text: 'Hm.' };
    yield { type: 'finish', usage: {}, finishReason: 'other', content: [{ type: 'text', text: 'Hm.' }] };
  });
  const chunks = chunksOf((await agent.ask('c', 'go', eventStream)).body);
  expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop' });
});
