import { scriptSchema } from '@parley/protocol/settings/script';
import { expect, test } from 'vitest';
import { createModel } from '../create-model.ts';
import type { Message, ToolOutput } from '../message.ts';
import type { Model, ModelPart, OfferedTool } from '../model.ts';
import { summaryCall } from '../summarise.ts';
import { collect } from '../testing/collect.ts';

const rules = scriptSchema.parse([
  { when: 'my name is (\\w+)', steps: [{ say: 'Nice to meet you, {{1}}.' }] },
  { when: 'what is my name', steps: [{ say: 'You are {{recall:my name is (\\w+)}}.' }] },
  {
    when: 'weather in (\\w+)',
    steps: [
      { say: 'Looking. ' },
      { call: 'get_weather', input: { city: '{{1}}' } },
      { say: 'It is {{result}}.' },
    ],
  },
  {
    when: 'both',
    steps: [
      { call: 'first' },
      { call: 'second' },
      { say: 'Then {{result}}. ' },
      { call: 'first' },
      { say: 'End.' },
    ],
  },
  {
    when: 'colou?r',
    steps: [
      { ask: { prompt: 'Which colour?', options: [{ id: 'red', label: 'Red' }], allowFreeform: true } },
      { say: 'You chose {{result}}.' },
    ],
  },
  { when: 'repeat', steps: [{ say: 'la la ', repeat: 3 }, { say: 'done' }] },
  { when: 'think', steps: [{ reason: 'Considering.' }, { say: 'Done.' }] },
  { when: 'fail first', steps: [{ fail: 'boom' }] },
  { when: 'fail midway', steps: [{ say: 'Half an ans' }, { fail: 'boom' }] },
  { when: 'cut', steps: [{ say: 'This is too lo' }, { finish: 'length' }, { say: 'never' }] },
  { when: 'my code', steps: [{ say: 'It is {{recall:\\d{2}}}.' }] },
  { when: 'endless', steps: [{ say: 'on and ', repeat: 100_000 }] },
  { when: 'sleep', steps: [{ say: 'Good night. ' }, { wait: 3_600_000 }, { say: 'Morning.' }] },
  { steps: [{ say: '{{input}}' }] },
]);

const model = (): Promise<Model> =>
  createModel({
    settings: { provider: 'scripted', model: 'scripted', script: rules },
    reasoning: { show: true },
    temperature: undefined,
    maxOutputTokens: undefined,
    credentials: {},
    fetch: () => Promise.reject(new Error('The embedded model needs no network.')),
  });

const tool = (name: string): OfferedTool => ({ name, description: name, parameters: { type: 'object' } });
const allTools = ['get_weather', 'first', 'second', 'ask_question'].map(tool);

const run = async (messages: Message[], tools = allTools): Promise<ModelPart[]> => {
  const call = { instructions: 'Be kind.', messages, tools, signal: new AbortController().signal };
  return collect((await model()).stream(call));
};

const user = (content: string): Message => ({ role: 'user', content });
const textOf = (parts: ModelPart[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
const finishOf = (parts: ModelPart[]) => {
  const last = parts.at(-1);
  if (last?.type !== 'finish') throw new Error('The stream did not finish.');
  return last;
};
const said = (parts: ModelPart[]): Message => ({ role: 'assistant', content: finishOf(parts).content });
const answers = (parts: ModelPart[], output: ToolOutput): Message => ({
  role: 'tool',
  content: parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ type: 'tool-result' as const, toolCallId: part.callId, toolName: part.toolName, output }]
      : [],
  ),
});

test('says the matching rule word by word, whatever the case', async () => {
  const parts = await run([user('MY NAME IS Ann')]);
  expect(parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).toEqual([
    'Nice ',
    'to ',
    'meet ',
    'you, ',
    'Ann.',
  ]);
  expect(finishOf(parts)).toEqual({
    type: 'finish',
    finishReason: 'stop',
    usage: { inputTokens: 6, outputTokens: 5 },
    content: [{ type: 'text', text: 'Nice to meet you, Ann.' }],
  });
});

test('recalls the latest match of earlier messages, or nothing', async () => {
  const history = [user('my name is Ann'), user('my name is Bob'), user('what is my name')];
  expect(textOf(await run(history))).toBe('You are Bob.');
  expect(textOf(await run([user('what is my name')]))).toBe('You are nothing.');
});

test('client context is not the last message', async () => {
  expect(textOf(await run([user('hello'), user('Client context:\nmy name is Eve')]))).toBe('hello');
});

test('goes on after a call with what follows it', async () => {
  const first = await run([user('weather in Oslo')]);
  expect(first.find((part) => part.type === 'tool-call')).toMatchObject({
    toolName: 'get_weather',
    input: { city: 'Oslo' },
  });
  expect(finishOf(first).finishReason).toBe('tool-calls');
  const second = await run([
    user('weather in Oslo'),
    said(first),
    answers(first, { type: 'json', value: { c: 3 } }),
  ]);
  expect(textOf(first) + textOf(second)).toBe('Looking. It is {"c":3}.');
  expect(finishOf(second).finishReason).toBe('stop');
});

test.each<[ToolOutput, string]>([
  [{ type: 'text', value: 'rain' }, 'It is rain.'],
  [{ type: 'execution-denied', reason: 'not today' }, 'It is not today.'],
  [{ type: 'error-text', value: 'timed out' }, 'It is timed out.'],
])('the result of %j', async (output, text) => {
  const first = await run([user('weather in Oslo')]);
  expect(textOf(await run([user('weather in Oslo'), said(first), answers(first, output)]))).toBe(text);
});

test('neighbouring calls are one step, each with an id of its own', async () => {
  const first = await run([user('both')]);
  const second = await run([user('both'), said(first), answers(first, { type: 'text', value: 'x' })]);
  const calls = [...first, ...second].flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  expect(calls.map((call) => call.toolName)).toEqual(['first', 'second', 'first']);
  expect(new Set(calls.map((call) => call.callId)).size).toBe(3);
  expect(textOf(second)).toBe('Then x. ');
});

test('says so when a tool is not offered, and goes on', async () => {
  expect(textOf(await run([user('weather in Oslo')], []))).toBe(
    'Looking. I cannot use get_weather here.It is .',
  );
});

test.each([
  [{ optionId: 'red', status: 'answered' }, 'You chose red.'],
  [{ text: 'a warm one', status: 'answered' }, 'You chose a warm one.'],
])('an answer %j', async (value, text) => {
  const first = await run([user('a color')]);
  expect(first.find((part) => part.type === 'tool-call')).toMatchObject({
    toolName: 'ask_question',
    input: { prompt: 'Which colour?', options: [{ id: 'red', label: 'Red' }], allowFreeform: true },
  });
  expect(textOf(await run([user('a color'), said(first), answers(first, { type: 'json', value })]))).toBe(
    text,
  );
});

test('what was said before a crash is not said again, wherever it was cut', async () => {
  const whole = 'la la la la la la done';
  for (let cut = 0; cut <= whole.length; cut++) {
    const partial: Message[] = cut === 0 ? [] : [{ role: 'assistant', content: whole.slice(0, cut) }];
    expect(textOf(await run([user('repeat'), ...partial]))).toBe(whole.slice(cut));
  }
});

test('goes on in the middle of what follows a call', async () => {
  const first = await run([user('weather in Oslo')]);
  const past = [user('weather in Oslo'), said(first), answers(first, { type: 'text', value: 'rain' })];
  expect(textOf(await run([...past, { role: 'assistant', content: 'It is ra' }]))).toBe('in.');
  expect(textOf(await run([user('weather in Oslo'), { role: 'assistant', content: 'Look' }]))).toBe('ing. ');
});

test('goes on after a refusal that the prompt holds, though the tool is offered by now', async () => {
  const past: Message = { role: 'assistant', content: 'Looking. I cannot use get_weather here.It' };
  expect(textOf(await run([user('weather in Oslo'), past]))).toBe(' is .');
});

test('does not wait again for what was waited for', async () => {
  expect(textOf(await run([user('sleep'), { role: 'assistant', content: 'Good night. Mor' }]))).toBe('ning.');
});

test('a message with NUL characters is echoed without them, and gone on with in the right place', async () => {
  expect(textOf(await run([user('a\0b c')]))).toBe('ab c');
  expect(textOf(await run([user('a\0b c'), { role: 'assistant', content: 'ab' }]))).toBe(' c');
});

test('the latest match is recalled, by a pattern that may end in a quantifier', async () => {
  expect(textOf(await run([user('code 1234'), user('my code')]))).toBe('It is 34.');
});

test('reasons before it speaks, and not again when it has spoken', async () => {
  const parts = await run([user('think')]);
  expect(parts.slice(0, -1)).toEqual([
    { type: 'reasoning', text: 'Considering.' },
    { type: 'text', text: 'Done.' },
  ]);
  const resumed = await run([user('think'), { role: 'assistant', content: 'Do' }]);
  expect(resumed.slice(0, -1)).toEqual([{ type: 'text', text: 'ne.' }]);
});

test('a failure is thrown, after what was said before it', async () => {
  await expect(run([user('fail first')])).rejects.toMatchObject({
    name: 'ModelError',
    kind: 'refused',
    message: 'boom',
  });
  const parts: ModelPart[] = [];
  const signal = new AbortController().signal;
  const stream = (await model()).stream({
    instructions: undefined,
    messages: [user('fail midway')],
    tools: [],
    signal,
  });
  const reading = (async () => {
    for await (const part of stream) parts.push(part);
  })();
  await expect(reading).rejects.toMatchObject({ message: 'boom' });
  expect(textOf(parts)).toBe('Half an ans');
});

test('finishes early with the reason the script gives', async () => {
  const parts = await run([user('cut')]);
  expect([textOf(parts), finishOf(parts).finishReason]).toEqual(['This is too lo', 'length']);
});

test('stops waiting when it is aborted, with the reason', async () => {
  const controller = new AbortController();
  const stream = (await model()).stream({
    instructions: undefined,
    messages: [user('sleep')],
    tools: [],
    signal: controller.signal,
  });
  const parts: ModelPart[] = [];
  const reading = (async () => {
    for await (const part of stream) {
      parts.push(part);
      if (parts.length === 2) controller.abort(new Error('cancelled by the visitor'));
    }
  })();
  await expect(reading).rejects.toThrow('cancelled by the visitor');
  expect(textOf(parts)).toBe('Good night. ');
});

test('a long text without pauses can be aborted', async () => {
  const signal = AbortSignal.timeout(0);
  const messages = [user('endless')];
  await expect(
    collect((await model()).stream({ instructions: undefined, messages, tools: [], signal })),
  ).rejects.toThrow('timeout');
});

test('summarises by counting', async () => {
  const call = summaryCall(
    [user('a'), { role: 'assistant', content: 'b' }, user('c')],
    new AbortController().signal,
  );
  expect(textOf(await collect((await model()).stream(call)))).toBe('Summary of 3 messages.');
});
