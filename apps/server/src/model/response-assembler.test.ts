import { expect, test } from 'vitest';
import { ResponseAssembler } from './response-assembler.ts';

const call = (toolCallId: string, input: unknown) =>
  ({ type: 'tool-call', toolCallId, toolName: 'get', input: JSON.stringify(input) }) as const;

const usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

const finished = (reply: ResponseAssembler) => {
  reply.add({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage });
  return reply.finish();
};

test.each([
  { unified: 'interrupted', raw: undefined },
  { unified: 'other', raw: undefined },
] as const)('a reply that ends as %j was cut short', (finishReason) => {
  const reply = new ResponseAssembler(true);
  reply.add({ type: 'text-delta', id: '0', delta: 'Half ' });
  expect(() => reply.finish()).toThrow('cut its reply short');
  reply.add({ type: 'finish', finishReason, usage });
  expect(() => reply.finish()).toThrow('cut its reply short');
});

test('a reason that a provider names and nobody knows is one', () => {
  const reply = new ResponseAssembler(true);
  reply.add({ type: 'finish', finishReason: { unified: 'other', raw: 'eos' }, usage });
  expect(reply.finish().finishReason).toBe('other');
});

test('a call that comes twice is one call, and late or stray deltas are none', () => {
  const reply = new ResponseAssembler(true);
  expect(reply.add({ type: 'tool-input-delta', id: 'stray', delta: '{' })).toBeUndefined();
  reply.add({ type: 'tool-input-start', id: 'a', toolName: 'get' });
  expect(reply.add({ type: 'tool-input-delta', id: 'a', delta: '{}' })).toEqual({
    type: 'tool-input',
    callId: 'a',
    toolName: 'get',
    delta: '{}',
  });
  expect(reply.add(call('a', {}))).toMatchObject({ type: 'tool-call', callId: 'a', input: {} });
  expect(reply.add({ type: 'tool-input-delta', id: 'a', delta: '{}' })).toBeUndefined();
  expect(reply.add(call('a', {}))).toBeUndefined();
  expect(finished(reply).content).toHaveLength(1);
});

test('two calls under one id are two calls', () => {
  const reply = new ResponseAssembler(true);
  for (const city of ['Oslo', 'Rome', 'Oslo']) reply.add(call('a', { city }));
  expect(finished(reply).content).toMatchObject([
    { toolCallId: 'a', input: { city: 'Oslo' } },
    { toolCallId: 'a 2', input: { city: 'Rome' } },
  ]);
});

test('arguments that are no object come out as they are and go back as an empty one', () => {
  const reply = new ResponseAssembler(true);
  expect(reply.add(call('a', [1]))).toMatchObject({ input: [1] });
  expect(reply.add(call('b', 'text'))).toMatchObject({ input: 'text' });
  expect(finished(reply).content).toMatchObject([{ input: {} }, { input: {} }]);
});

test('blocks keep their order and what the provider attached last', () => {
  const reply = new ResponseAssembler(false);
  reply.add({ type: 'reasoning-start', id: '0', providerMetadata: { p: { signature: null } } });
  reply.add({ type: 'reasoning-delta', id: '0', delta: 'Hm.' });
  reply.add({ type: 'text-start', id: '0' });
  reply.add({ type: 'text-delta', id: '0', delta: 'Yes.' });
  reply.add({ type: 'reasoning-end', id: '0', providerMetadata: { p: { signature: 'signed' } } });
  reply.add({ type: 'text-start', id: '1' });
  reply.add({ type: 'text-end', id: '1' });
  expect(finished(reply)).toEqual({
    type: 'finish',
    finishReason: 'stop',
    usage: {},
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { p: { signature: 'signed' } } },
      { type: 'text', text: 'Yes.' },
    ],
  });
});

test('a thousand calls are a thousand calls', () => {
  const reply = new ResponseAssembler(true);
  for (let index = 0; index < 1_000; index++) reply.add(call(`call_${index}`, { index }));
  expect(finished(reply)).toMatchObject({ finishReason: 'tool-calls', content: { length: 1_000 } });
});

test.each([-1_000_000, 1.5, 1e300, Number.NaN])(
  'a provider that counts %d tokens is not believed',
  (count) => {
    const reply = new ResponseAssembler(true);
    reply.add({
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: count, noCache: undefined, cacheRead: count, cacheWrite: 3 },
        outputTokens: { total: 7, text: undefined, reasoning: undefined },
      },
    });
    expect(reply.finish()).toEqual({
      type: 'finish',
      finishReason: 'stop',
      usage: { outputTokens: 7, cacheWriteTokens: 3 },
      content: [],
    });
  },
);

test('what a model calls where it may not is withheld, what it says besides counts', () => {
  const reply = new ResponseAssembler(true, 'none');
  reply.add({ type: 'tool-input-start', id: 'a', toolName: 'get' });
  expect(reply.add({ type: 'tool-input-delta', id: 'a', delta: '{}' })).toBeUndefined();
  expect(reply.add(call('a', {}))).toBeUndefined();
  reply.add({ type: 'text-delta', id: '0', delta: 'Yes.' });
  expect(finished(reply)).toMatchObject({ content: [{ type: 'text', text: 'Yes.' }] });
});

test('arguments that are no JSON or reach for a prototype are an error of the call, none at all are empty', () => {
  const reply = new ResponseAssembler(true);
  const made = (toolCallId: string, input: string) =>
    reply.add({ type: 'tool-call', toolCallId, toolName: 'get', input });
  expect(made('a', '{')).toMatchObject({ inputError: 'The arguments are not JSON.' });
  expect(made('b', '{"__proto__":{"admin":true}}')).toMatchObject({
    inputError: 'The arguments are not JSON.',
  });
  expect(made('c', ' ')).toMatchObject({ input: {} });
});

test('a call is not made with a number that JavaScript would round', () => {
  const reply = new ResponseAssembler(true);
  const made = (toolCallId: string, input: string) =>
    reply.add({ type: 'tool-call', toolCallId, toolName: 'refund', input });
  expect(made('a', '{"order":9007199254740993}')).toEqual({
    type: 'tool-call',
    callId: 'a',
    toolName: 'refund',
    input: undefined,
    inputError: 'A whole number has too many digits to be exact. Give it as a text, if it may be one.',
  });
  const exact = {
    order: '9007199254740993',
    far: -9_007_199_254_740_991,
    share: 0.12345678901234568,
    wei: 2_000_000_000_000_000_000,
  };
  expect(made('b', JSON.stringify(exact))).toMatchObject({ input: exact });
});

test('a file that a model made is kept, and what lies at an address is not fetched', () => {
  const reply = new ResponseAssembler(true);
  const file = { type: 'file', mediaType: 'image/png' } as const;
  reply.add({ ...file, data: { type: 'data', data: new Uint8Array([1, 2, 3]) } });
  reply.add({ ...file, data: { type: 'url', url: new URL('http://127.0.0.1/secret') } });
  expect(finished(reply).content).toEqual([{ ...file, data: 'AQID' }]);
});

test('arguments that come whole have a bound, too', () => {
  const reply = new ResponseAssembler(true);
  const input = `{"broken":"${'x'.repeat(8 * 1024 * 1024)}`;
  expect(() => reply.add({ type: 'tool-call', toolCallId: 'a', toolName: 'get', input })).toThrow(
    'larger than 8 MB',
  );
});
