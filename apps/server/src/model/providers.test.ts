import { setTimeout as elapsed } from 'node:timers/promises';
import type { ModelSettings } from '@parley/protocol/settings/model';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createEgress } from '../egress/egress.ts';
import { createModel } from './create-model.ts';
import type { Message } from './message.ts';
import type { ModelError } from './model-error.ts';
import type { Model, ModelPart, OfferedTool } from './model.ts';
import { mistralWire, openaiCompatibleWire } from './testing/openai-compatible-wire.ts';
import { collect } from './testing/collect.ts';
import { bedrockException, bedrockWire } from './testing/bedrock-wire.ts';
import { googleWire } from './testing/google-wire.ts';
import { anthropicWire } from './testing/anthropic-wire.ts';
import {
  type Answer,
  providerServer,
  refusal,
  reset,
  silence,
  status,
  streaming,
} from './testing/provider-server.ts';
import { azureWire, openaiWire } from './testing/openai-wire.ts';
import { serverSentEvent, type Wire, type WireReply } from './testing/wire.ts';

const wires: [string, Wire][] = [
  ['openai-compatible', openaiCompatibleWire],
  ['mistral', mistralWire],
  ['openai', openaiWire],
  ['azure', azureWire],
  ['anthropic', anthropicWire],
  ['google', googleWire],
  ['amazon-bedrock', bedrockWire],
];

const egress = createEgress({ allow: ['127.0.0.0/8'] });
afterAll(() => egress.close());

const timing = { firstChunk: 20_000, firstPart: 20_000, stall: 20_000, retryBudget: 5_000, backoff: 1 };

const modelAt = (
  wire: Wire,
  origin: string,
  options: { show?: boolean; timing?: typeof timing; effort?: 'none' | 'high' } = {},
): Promise<Model> =>
  createModel({
    settings: wire.settings(origin),
    reasoning: { effort: options.effort ?? 'high', show: options.show ?? true },
    temperature: undefined,
    maxOutputTokens: undefined,
    credentials: {},
    fetch: egress.fetch,
    timing: options.timing ?? timing,
  });

const weather: OfferedTool = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const question: Message = { role: 'user', content: 'How is it in Oslo?' };

const ask = (model: Model, messages: Message[] = [question], signal = new AbortController().signal) =>
  model.stream({ instructions: 'Be brief.', messages, tools: [weather], signal });

const textOf = (parts: ModelPart[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** What comes out before the stream ends or fails, and the failure. */
const outcome = async (stream: AsyncIterable<ModelPart>) => {
  const parts: ModelPart[] = [];
  try {
    for await (const part of stream) parts.push(part);
    return { parts, error: undefined };
  } catch (error) {
    return { parts, error };
  }
};

/** The keys of all objects in it, also of those that are written out as text. */
function keysOf(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('{') ? keysOf(JSON.parse(value)) : [];
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(keysOf);
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}

describe.each(wires)('%s', (_, wire) => {
  const reply = (content: WireReply, options: Parameters<typeof streaming>[2] = {}) =>
    streaming(wire.contentType, wire.frames(content), options);
  const opening = (content: WireReply) => wire.frames(content).slice(0, -wire.closing);

  test('a reply that was cut off is gone on with at the user’s request: no provider takes a last word of its own', async () => {
    await using server = await providerServer(reply({ text: [' at work.'] }));
    const said: Message = { role: 'assistant', content: [{ type: 'text', text: 'I am' }] };
    await collect(ask(await modelAt(wire, server.origin), [question, said]));
    const sent = JSON.stringify(server.requests[0]!.body);
    expect(sent.indexOf('I am')).toBeGreaterThan(0);
    expect(sent.indexOf('Go on exactly where it stops')).toBeGreaterThan(sent.indexOf('I am'));
  });

  test('a model that must answer in words is told so, or is given no tools where the protocol has no word for it', async () => {
    await using server = await providerServer(reply({ text: ['Done.'] }));
    const call = {
      messages: [question],
      tools: [weather],
      toolChoice: 'none' as const,
      instructions: undefined,
    };
    const { signal } = new AbortController();
    const parts = await collect((await modelAt(wire, server.origin)).stream({ ...call, signal }));
    expect(textOf(parts)).toBe('Done.');
    const sent = JSON.stringify(server.requests[0]!.body);
    expect(/"none"/i.test(sent) || !sent.includes('get_weather')).toBe(true);
  });

  test('a call where none is allowed is withheld, and what was said besides is the reply', async () => {
    const call = { id: 'call_1', name: 'get_weather', input: '{"city":"Oslo"}' };
    await using server = await providerServer(reply({ text: ['Cold.'], call }));
    const { signal } = new AbortController();
    const asked = {
      messages: [question],
      tools: [weather],
      toolChoice: 'none' as const,
      instructions: undefined,
    };
    const parts = await collect((await modelAt(wire, server.origin)).stream({ ...asked, signal }));
    expect(textOf(parts)).toBe('Cold.');
    expect(parts.filter(({ type }) => type === 'tool-call')).toEqual([]);
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: 'stop',
      content: [{ type: 'text', text: 'Cold.' }],
    });
  });

  test('text, with characters and JSON cut across packets', async () => {
    await using server = await providerServer(reply({ text: ['Grüße ', '🌦️ 雨', '.'] }, { size: 5 }));
    const parts = await collect(ask(await modelAt(wire, server.origin)));
    expect(textOf(parts)).toBe('Grüße 🌦️ 雨.');
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: 'stop',
      usage: { inputTokens: 11, outputTokens: 7 },
      content: [{ type: 'text', text: 'Grüße 🌦️ 雨.' }],
    });
  });

  test('deltas of one packet are one part', async () => {
    await using server = await providerServer(reply({ text: Array.from({ length: 50 }, () => 'word ') }));
    const parts = await collect(ask(await modelAt(wire, server.origin)));
    expect(textOf(parts)).toBe('word '.repeat(50));
    expect(parts.length).toBeLessThan(25);
  });

  test('a call, and the message that takes it and its reasoning back', async () => {
    const call = { id: 'call00001', name: 'get_weather', input: '{"city":"Oslo"}' };
    await using server = await providerServer(reply({ reasoning: 'Hm.', call }), reply({ text: ['Rain.'] }));
    const model = await modelAt(wire, server.origin);
    const parts = await collect(ask(model));
    expect(parts.find((part) => part.type === 'reasoning')).toEqual({ type: 'reasoning', text: 'Hm.' });
    const made = parts.find((part) => part.type === 'tool-call');
    if (!made) throw new Error('No call came out.');
    expect(made).toMatchObject({ toolName: 'get_weather', input: { city: 'Oslo' } });
    const last = parts.at(-1);
    if (last?.type !== 'finish') throw new Error('The stream did not finish.');
    expect(last.finishReason).toBe('tool-calls');

    const output = { type: 'text' as const, value: 'rain all day' };
    const result = { type: 'tool-result' as const, toolCallId: made.callId, toolName: made.toolName, output };
    const stored: Message[] = JSON.parse(
      JSON.stringify([
        question,
        { role: 'assistant', content: last.content },
        { role: 'tool', content: [result] },
      ]),
    );
    expect(textOf(await collect(ask(model, stored)))).toBe('Rain.');
    const second = JSON.stringify(server.requests[1]?.body);
    expect(second).toContain('rain all day');
    expect(second).toContain('Oslo');
    if (wire.signature !== undefined) expect(second).toContain(wire.signature);
  });

  test('a tool whose names it would refuse is offered and called under others, also in what came before', async () => {
    const own = { 'filter[name]': 'Oslo', when: [{ 'StartTime<': '9' }] };
    const safe = { filter_name_: 'Oslo', when: [{ StartTime_: '9' }] };
    const call = { id: 'call00001', name: 'list_cities', input: JSON.stringify(safe) };
    await using server = await providerServer(reply({ call }), reply({ text: ['One.'] }));
    const text = { type: 'string' };
    const when = { type: 'array', items: { type: 'object', properties: { 'StartTime<': text } } };
    const tool = {
      name: 'list_cities',
      description: 'Cities',
      parameters: { type: 'object', properties: { 'filter[name]': text, when }, required: ['filter[name]'] },
    };
    const { signal } = new AbortController();
    const model = await modelAt(wire, server.origin);
    const list = (messages: Message[]) =>
      collect(model.stream({ instructions: undefined, messages, tools: [weather, tool], signal }));
    const parts = await list([question]);
    expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({ input: own });
    expect(parts.filter((part) => part.type === 'tool-input')).toEqual([]);
    const last = parts.at(-1);
    if (last?.type !== 'finish') throw new Error('The stream did not finish.');
    expect(last.content).toMatchObject([{ type: 'tool-call', input: own }]);
    const output = { type: 'text' as const, value: 'One city.' };
    const result = { type: 'tool-result' as const, toolCallId: 'call00001', toolName: 'list_cities', output };
    await list([question, { role: 'assistant', content: last.content }, { role: 'tool', content: [result] }]);
    const names = server.requests.flatMap(({ body }) => keysOf(body));
    expect(names).toContain('filter_name_');
    expect(names.filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name) && name !== '$schema')).toEqual([]);
  });

  test('the effort, the tools and the instructions reach the provider', async () => {
    await using server = await providerServer(reply({ text: ['ok'] }));
    await collect(ask(await modelAt(wire, server.origin)));
    expect(server.requests[0]?.body).toMatchObject(wire.highEffort);
    for (const held of ['get_weather', 'Be brief.', 'How is it in Oslo?']) {
      expect(JSON.stringify(server.requests[0]?.body)).toContain(held);
    }
  });

  test.each(['text/plain', 'text/csv; charset=utf-8', 'text/markdown', 'application/json'])(
    'a file of %s is read as text',
    async (mediaType) => {
      await using server = await providerServer(reply({ text: ['ok'] }));
      const data = Buffer.from('Kettenlänge: 116').toString('base64');
      const sent: Message = {
        role: 'user',
        content: [{ type: 'file', mediaType, filename: 'note', data }],
      };
      const { error } = await outcome(ask(await modelAt(wire, server.origin), [sent]));
      expect(error).toBeUndefined();
      expect(JSON.stringify(server.requests[0]?.body)).toContain('Kettenlänge: 116');
    },
  );

  test('reasoning stays inside when it is not to be shown', async () => {
    await using server = await providerServer(reply({ reasoning: 'Secret thought.', text: ['ok'] }));
    const parts = await collect(ask(await modelAt(wire, server.origin, { show: false })));
    expect(parts.map((part) => part.type)).toEqual(['hidden', 'text', 'finish']);
    expect(parts[0]).toEqual({ type: 'hidden', bytes: 'Secret thought.'.length });
  });

  test('a connection lost after hidden reasoning is made again, and told so', async () => {
    await using server = await providerServer(
      streaming(wire.contentType, opening({ reasoning: 'Secret thought.' }), { ending: 'reset', size: 40 }),
      reply({ text: ['ok'] }),
    );
    const parts = await collect(ask(await modelAt(wire, server.origin, { show: false })));
    expect(parts.map((part) => part.type)).toEqual(['hidden', 'again', 'text', 'finish']);
  });

  test('reasoning that is shown comes before the text, each with its own', async () => {
    await using server = await providerServer(reply({ reasoning: 'Hm.', text: ['Yes', '.'] }));
    const parts = await collect(ask(await modelAt(wire, server.origin)));
    const shown = parts.filter((part) => part.type === 'text' || part.type === 'reasoning');
    expect(shown[0]).toEqual({ type: 'reasoning', text: 'Hm.' });
    expect(shown.slice(1).every((part) => part.type === 'text')).toBe(true);
    expect(textOf(parts)).toBe('Yes.');
  });

  test('a refused attempt is made again', async () => {
    await using server = await providerServer(
      status(429, { 'retry-after': '0' }),
      status(500),
      reply({ text: ['ok'] }),
    );
    expect(textOf(await collect(ask(await modelAt(wire, server.origin))))).toBe('ok');
    expect(server.requests).toHaveLength(3);
  });

  test('three attempts, not more', async () => {
    await using server = await providerServer(
      status(500),
      status(503),
      status(500),
      reply({ text: ['late'] }),
    );
    const { error } = await outcome(ask(await modelAt(wire, server.origin)));
    expect(error).toMatchObject({ name: 'ModelError', kind: 'unreachable' });
    expect(server.requests).toHaveLength(3);
  });

  test('a Retry-After beyond the budget is not waited for', async () => {
    await using server = await providerServer(status(429, { 'retry-after': '3600' }));
    const { error } = await outcome(ask(await modelAt(wire, server.origin)));
    expect(error).toMatchObject({ name: 'ModelError', kind: 'rate-limited' });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [401, 'key-rejected'],
    [403, 'key-rejected'],
    [404, 'not-found'],
    [405, 'misconfigured'],
  ])('%i is the configuration, %s, and final', async (refused, kind) => {
    await using server = await providerServer(status(refused));
    const { error } = await outcome(ask(await modelAt(wire, server.origin)));
    expect(error).toMatchObject({ name: 'ModelError', kind });
    expect(server.requests).toHaveLength(1);
  });

  test('a prompt that the model does not take is told apart, with the limit where it is named', async () => {
    await using server = await providerServer(refusal(400, wire.tooLong.body), reply({ text: ['again'] }));
    const { error } = await outcome(ask(await modelAt(wire, server.origin)));
    expect(error).toMatchObject({ name: 'ModelError', kind: 'too-long' });
    expect((error as ModelError).contextTokens).toBe(wire.tooLong.tokens);
    expect(server.requests).toHaveLength(1);
  });

  test('a connection lost before the first part is made again', async () => {
    await using server = await providerServer(
      reset,
      streaming(wire.contentType, [], { ending: 'reset' }),
      reply({ text: ['ok'] }),
    );
    expect(textOf(await collect(ask(await modelAt(wire, server.origin))))).toBe('ok');
    expect(server.requests).toHaveLength(3);
  });

  test('a connection lost after it is not', async () => {
    await using server = await providerServer(
      streaming(wire.contentType, opening({ text: ['Half ', 'an '] }), { ending: 'reset', size: 40 }),
      reply({ text: ['again'] }),
    );
    const { parts, error } = await outcome(ask(await modelAt(wire, server.origin)));
    expect(textOf(parts)).toMatch(/^Half /);
    expect(error).toMatchObject({ name: 'ModelError', kind: 'unreachable' });
    expect(server.requests).toHaveLength(1);
  });

  test('a provider that falls silent is given up', async () => {
    await using server = await providerServer(
      streaming(wire.contentType, opening({ text: ['Half ', 'an '] }), { ending: 'stall' }),
      silence,
    );
    const wordless = await modelAt(wire, server.origin, { timing: { ...timing, firstChunk: 200 } });
    const broken = await modelAt(wire, server.origin, { timing: { ...timing, stall: 1_000 } });
    const midway = await outcome(ask(broken));
    expect(textOf(midway.parts)).toBe('Half an ');
    expect(midway.error).toMatchObject({ name: 'ModelError', kind: 'stalled' });
    const never = await outcome(ask(wordless));
    expect(never.error).toMatchObject({ name: 'ModelError', kind: 'stalled' });
    await Promise.all(server.requests.map((request) => request.closed));
  });

  test('an abort throws its reason and closes the connection', async () => {
    await using server = await providerServer(
      streaming(wire.contentType, opening({ text: ['Half ', 'an '] }), { ending: 'stall' }),
    );
    const controller = new AbortController();
    const model = await modelAt(wire, server.origin);
    const reading = (async () => {
      for await (const _ of ask(model, [question], controller.signal)) controller.abort(new Error('enough'));
    })();
    await expect(reading).rejects.toThrow('enough');
    await server.requests[0]?.closed;
  });

  test('a reader that leaves closes the connection', async () => {
    await using server = await providerServer(
      streaming(wire.contentType, opening({ text: ['Half ', 'an '] }), { ending: 'stall' }),
    );
    for await (const _ of ask(await modelAt(wire, server.origin))) break;
    await server.requests[0]?.closed;
  });

  test('a malformed frame ends the call', async () => {
    await using server = await providerServer(
      streaming(wire.contentType, [...opening({ text: ['Half '] }), wire.malformed]),
    );
    const { parts, error } = await outcome(ask(await modelAt(wire, server.origin)));
    expect(textOf(parts)).toBe('Half ');
    expect(error).toMatchObject({ name: 'ModelError', kind: 'malformed' });
  });

  test('an event nobody knows is passed over', async () => {
    const [first = Buffer.alloc(0), ...rest] = wire.frames({ text: ['ok'] });
    await using server = await providerServer(
      streaming(wire.contentType, [first, wire.unknownEvent, ...rest]),
    );
    expect(textOf(await collect(ask(await modelAt(wire, server.origin))))).toBe('ok');
  });

  test('a call of a tool that was not offered comes out as it is', async () => {
    const call = { id: 'call00001', name: 'drop_tables', input: '{"all":true}' };
    await using server = await providerServer(reply({ call }));
    const parts = await collect(ask(await modelAt(wire, server.origin)));
    expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({
      toolName: 'drop_tables',
      input: { all: true },
    });
  });

  test('a reply without its end is none, whatever came of it', async () => {
    await using server = await providerServer(streaming(wire.contentType, opening({ text: ['Half '] })));
    const { parts, error } = await outcome(ask(await modelAt(wire, server.origin)));
    expect(textOf(parts)).toBe('Half ');
    expect(error).toMatchObject({ name: 'ModelError', kind: 'malformed' });
  });

  test('NUL characters are dropped and 8 MB are enough', async () => {
    await using server = await providerServer(
      reply({ text: ['a\0b'] }),
      reply({ text: ['start ', 'x'.repeat(9 * 1024 * 1024)] }),
    );
    const model = await modelAt(wire, server.origin);
    expect(textOf(await collect(ask(model)))).toBe('ab');
    const { error } = await outcome(ask(model));
    expect(error).toMatchObject({ name: 'ModelError', kind: 'malformed' });
  });
});

test.each(wires.filter(([, wire]) => !wire.typedArguments))(
  '%s: arguments that are not JSON are named so',
  async (_, wire) => {
    const call = { id: 'call00001', name: 'get_weather', input: '{"city": Oslo' };
    await using server = await providerServer(streaming(wire.contentType, wire.frames({ call })));
    const model = await modelAt(wire, server.origin);
    const parts = await collect(ask(model));
    expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({
      toolName: 'get_weather',
      input: undefined,
      inputError: 'The arguments are not JSON.',
    });
  },
);

test('google: a number that is too long for JavaScript keeps its digits in the arguments of a call', async () => {
  const call = { id: 'call00001', name: 'get_weather', input: '{"city":"9007199254740993","days":2}' };
  const frames = googleWire
    .frames({ call })
    .map((frame) => Buffer.from(String(frame).replace('"9007199254740993"', '9007199254740993')));
  await using server = await providerServer(streaming(googleWire.contentType, frames, { size: 7 }));
  const parts = await collect(ask(await modelAt(googleWire, server.origin)));
  expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({
    input: { city: '9007199254740993', days: 2 },
  });
});

test.each(wires)('%s: the schema of the reply reaches the provider', async (_, wire) => {
  await using server = await providerServer(
    streaming(wire.contentType, wire.frames({ text: ['{"degrees":3}'] })),
  );
  const model = await modelAt(wire, server.origin);
  const outputSchema = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] };
  const signal = new AbortController().signal;
  await collect(
    model.stream({ instructions: undefined, messages: [question], tools: [], outputSchema, signal }),
  );
  expect(JSON.stringify(server.requests[0]?.body)).toContain('degrees');
});

test.each([
  ['anthropic', anthropicWire, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
  [
    'openai',
    openaiWire,
    {
      type: 'error',
      sequence_number: 1,
      error: { type: 'server_error', code: 'server_error', message: 'Sorry', param: null },
    },
  ],
])('%s: an error inside the stream is an attempt that failed', async (_, wire, event) => {
  const [first = Buffer.alloc(0)] = wire.frames({});
  await using server = await providerServer(
    streaming(wire.contentType, [first, serverSentEvent(event, 'error')]),
    streaming(wire.contentType, wire.frames({ text: ['ok'] })),
  );
  expect(textOf(await collect(ask(await modelAt(wire, server.origin))))).toBe('ok');
});

test.each([
  ['throttlingException', 'Too many tokens, please wait before trying again.'],
  ['modelStreamErrorException', 'The model had an error. Try your request again.'],
])('amazon-bedrock: a stream that begins with %s is an attempt that failed', async (type, message) => {
  await using server = await providerServer(
    streaming(bedrockWire.contentType, [bedrockException(type, message)]),
    streaming(bedrockWire.contentType, bedrockWire.frames({ text: ['ok'] })),
  );
  expect(textOf(await collect(ask(await modelAt(bedrockWire, server.origin))))).toBe('ok');
});

test('google: a reply of which nothing came but that a call could not be read is made again', async () => {
  const malformedCall = serverSentEvent({
    candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL', index: 0 }],
    usageMetadata: { promptTokenCount: 11, totalTokenCount: 11 },
  });
  await using server = await providerServer(
    streaming(googleWire.contentType, [malformedCall]),
    streaming(googleWire.contentType, googleWire.frames({ text: ['ok'] })),
    ...[1, 2, 3].map(() => streaming(googleWire.contentType, [malformedCall])),
  );
  const model = await modelAt(googleWire, server.origin);
  expect(textOf(await collect(ask(model)))).toBe('ok');
  expect((await outcome(ask(model))).error).toMatchObject({ name: 'ModelError', kind: 'unreachable' });
  expect(server.requests).toHaveLength(5);
});

test('no key is taken from the environment', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'the operator');
  vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', 'the operator');
  onTestFinished(() => void vi.unstubAllEnvs());
  await using server = await providerServer();
  const creating = modelAt(
    { ...openaiWire, settings: () => ({ provider: 'openai', model: 'gpt-5' }) },
    server.origin,
  );
  await expect(creating).rejects.toMatchObject({
    name: 'ModelError',
    kind: 'setting-missing',
    message: 'The model needs apiKey.',
  });

  const sent: string[] = [];
  const bedrock = await createModel({
    settings: bedrockWire.settings(server.origin),
    reasoning: { show: false },
    temperature: undefined,
    maxOutputTokens: undefined,
    credentials: {},
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers).get('authorization') ?? '');
      return new Response('{}', { status: 403 });
    },
    timing,
  });
  await outcome(ask(bedrock));
  expect(sent).toEqual([expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=id\//)]);
});

test.each<[string, ModelSettings]>([
  ['misconfigured', { provider: 'amazon-bedrock', model: 'nova', region: 'evil.example/' }],
  ['misconfigured', { provider: 'amazon-bedrock', model: 'nova', region: 'a@evil.example:443#' }],
  ['refused', { provider: 'azure', model: 'gpt-5', resourceName: 'evil.example/' }],
])('no setting but the address leads to another host: %s, %j', async (kind, settings) => {
  const urls: string[] = [];
  const failure = await createModel({
    settings,
    reasoning: { show: false },
    temperature: undefined,
    maxOutputTokens: undefined,
    credentials: { apiKey: 'the operator' },
    fetch: async (input) => {
      urls.push(input instanceof Request ? input.url : String(input));
      return new Response('{}', { status: 403 });
    },
    timing,
  })
    .then((model) => collect(ask(model)))
    .catch((error: unknown) => error);
  expect(urls).toEqual([]);
  expect(failure).toMatchObject({ name: 'ModelError', kind });
});

test('credentials complete the settings', async () => {
  const keys: (string | null)[] = [];
  const model = await createModel({
    settings: { provider: 'anthropic', model: 'claude-sonnet-4-5' },
    reasoning: { show: false },
    temperature: undefined,
    maxOutputTokens: undefined,
    credentials: { apiKey: 'stored' },
    fetch: async (_, init) => {
      keys.push(new Headers(init?.headers).get('x-api-key'));
      return new Response('{}', { status: 401 });
    },
  });
  await outcome(ask(model));
  expect(keys).toEqual(['stored']);
});

test('data of a file that reads as an address is refused, not fetched', async () => {
  await using server = await providerServer();
  const file: Message = {
    role: 'user',
    content: [{ type: 'file', mediaType: 'application/pdf', data: `${server.origin}/secret.pdf` }],
  };
  const { error } = await outcome(ask(await modelAt(openaiCompatibleWire, server.origin), [file]));
  expect(error).toMatchObject({ name: 'ModelError', kind: 'refused' });
  expect(server.requests).toEqual([]);
});

test('a stream leaves no timer behind', async () => {
  const frames = openaiCompatibleWire.frames({ text: ['word '] });
  await using server = await providerServer(streaming('text/event-stream', frames));
  const model = await modelAt(openaiCompatibleWire, server.origin);
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  expect(textOf(await collect(ask(model)))).toBe('word ');
  expect(timers()).toBeLessThanOrEqual(before);
});

/** A busy machine is silent for seconds, too: what must not be given up takes longer than that in all, and in no pause. */
const stall = 4_000;

test.concurrent('a slow stream that goes on is no stalled one', async () => {
  const frames = openaiCompatibleWire.frames({ text: Array.from({ length: 20 }, () => 'word ') });
  const size = Math.ceil(Buffer.concat(frames).length / 20);
  await using server = await providerServer(streaming('text/event-stream', frames, { size, pace: 250 }));
  const model = await modelAt(openaiCompatibleWire, server.origin, { timing: { ...timing, stall } });
  expect(textOf(await collect(ask(model)))).toBe('word '.repeat(20));
});

const afterPings =
  (pings: number): Answer =>
  async (response) => {
    const [first, ...rest] = openaiCompatibleWire.frames({ text: ['ok'] });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
    for (let ping = 0; ping < pings; ping += 1) {
      await elapsed(400);
      response.write(': ping\n\n');
    }
    await elapsed(400);
    response.end(Buffer.concat(rest));
  };

test.concurrent('signs of life keep a provider that thinks from being given up', async () => {
  await using server = await providerServer(afterPings(12));
  const model = await modelAt(openaiCompatibleWire, server.origin, {
    timing: { ...timing, firstPart: stall, stall },
    effort: 'none',
  });
  expect(textOf(await collect(ask(model)))).toBe('ok');
});

test('a model that was asked to think may be silent for longer', async () => {
  const silent: Answer = async (response) => {
    const [first, ...rest] = openaiCompatibleWire.frames({ text: ['ok'] });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
    await elapsed(800);
    response.end(Buffer.concat(rest));
  };
  await using server = await providerServer(silent, silent);
  const short = { timing: { ...timing, firstPart: 200, stall: 200 } };
  const asked = await modelAt(openaiCompatibleWire, server.origin, short);
  expect(textOf(await collect(ask(asked)))).toBe('ok');
  const unasked = await modelAt(openaiCompatibleWire, server.origin, { ...short, effort: 'none' });
  expect((await outcome(ask(unasked))).error).toMatchObject({ name: 'ModelError', kind: 'stalled' });
});

test('a line without an end is cut off', async () => {
  await using server = await providerServer(
    streaming('text/event-stream', [Buffer.from('data: '), Buffer.alloc(25 * 1024 * 1024, 'x')], {
      ending: 'stall',
    }),
  );
  const { error } = await outcome(ask(await modelAt(openaiCompatibleWire, server.origin)));
  expect(error).toMatchObject({ name: 'ModelError', kind: 'malformed' });
  await server.requests[0]?.closed;
});

test('an address that may not be reached is told apart', async () => {
  const model = await modelAt(openaiCompatibleWire, 'http://10.0.0.1:8080');
  const { error } = await outcome(ask(model));
  expect(error).toMatchObject({ name: 'ModelError', kind: 'egress-denied' });
});

test('nobody listens there', async () => {
  const server = await providerServer();
  await server[Symbol.asyncDispose]();
  const { error } = await outcome(ask(await modelAt(openaiCompatibleWire, server.origin)));
  expect(error).toMatchObject({ name: 'ModelError', kind: 'unreachable' });
});

test('a redirect is not followed', async () => {
  await using server = await providerServer(status(307, { location: '/elsewhere' }));
  const model = await createModel({
    settings: openaiCompatibleWire.settings(server.origin),
    reasoning: { show: false },
    temperature: undefined,
    maxOutputTokens: undefined,
    credentials: {},
    fetch: egress.fetch,
  });
  const { error } = await outcome(ask(model));
  expect(error).toMatchObject({ name: 'ModelError', kind: 'misconfigured' });
  expect(server.requests).toHaveLength(1);
});

test('empty instructions and empty replies are left out', async () => {
  await using server = await providerServer(
    streaming(anthropicWire.contentType, anthropicWire.frames({ text: ['ok'] })),
  );
  const messages: Message[] = [question, { role: 'assistant', content: [] }, question];
  const signal = new AbortController().signal;
  const model = await modelAt(anthropicWire, server.origin);
  await collect(model.stream({ instructions: '', messages, tools: [], signal }));
  expect(server.requests[0]?.body).not.toHaveProperty('system');
  expect(server.requests[0]?.body).toMatchObject({ messages: [{ role: 'user' }] });
});

test.each<[string, unknown, number | undefined]>([
  [
    'llama.cpp',
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5_000,
        n_ctx: 4_096,
      },
    },
    4_096,
  ],
  [
    'Ollama',
    { error: { message: 'prompt too long; exceeded max context length by 5 tokens', type: 'api_error' } },
    undefined,
  ],
  [
    'LM Studio',
    {
      error:
        'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
    4_096,
  ],
  [
    'OpenRouter',
    {
      error: {
        code: 400,
        message:
          "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens (9000 of text input).",
      },
    },
    8_192,
  ],
  [
    'Groq',
    {
      error: {
        message: 'Please reduce the length of the messages or completion.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
    undefined,
  ],
  [
    'xAI',
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
    },
    131_072,
  ],
  [
    'a newer vLLM',
    {
      error: {
        message:
          "You passed 4097 input tokens and requested 0 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 4096 tokens.",
        type: 'BadRequestError',
        param: 'input_tokens',
        code: 400,
      },
    },
    4_096,
  ],
])('a prompt that is too long for a model behind %s is told apart', async (_server, body, tokens) => {
  await using server = await providerServer(refusal(400, body));
  const { error } = await outcome(ask(await modelAt(openaiCompatibleWire, server.origin)));
  expect(error).toMatchObject({ name: 'ModelError', kind: 'too-long' });
  expect((error as ModelError).contextTokens).toBe(tokens);
});

test('a prompt that is found too long inside a started stream is told apart, until the model has said something', async () => {
  const error = {
    type: 'error',
    sequence_number: 1,
    error: {
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model.',
      param: 'input',
    },
  };
  const { contentType, frames } = openaiWire;
  const opening = frames({ text: ['Half'] });
  await using server = await providerServer(
    streaming(contentType, [opening[0]!, serverSentEvent(error)]),
    streaming(contentType, [...opening.slice(0, -1), serverSentEvent(error)]),
  );
  const model = await modelAt(openaiWire, server.origin);
  expect((await outcome(ask(model))).error).toMatchObject({ kind: 'too-long' });
  expect((await outcome(ask(model))).error).toMatchObject({ kind: 'refused' });
});

test.each<[string, number, unknown]>([
  [
    'an answer that may not be so long',
    400,
    {
      error: {
        message: 'max_tokens is too large: 200000. This model supports at most 16384 completion tokens.',
        code: 'invalid_value',
      },
    },
  ],
  [
    'a name that is too long',
    400,
    {
      error: {
        message: "Invalid 'tools[0].name': string too long. Expected a string with maximum length 64.",
        code: 'string_above_max_length',
      },
    },
  ],
])('%s is another refusal', async (_what, code, body) => {
  await using server = await providerServer(refusal(code, body));
  const { error } = await outcome(ask(await modelAt(openaiCompatibleWire, server.origin)));
  expect(error).toMatchObject({ kind: 'refused' });
});
