import { expect, test } from 'vitest';
import { ResponseAssembler } from './response-assembler.ts';

const call = (toolCallId: string, input: unknown) =>
  ({ type: 'tool-call', toolCallId, toolName: 'get', input, dynamic: true }) as const;

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
  expect(reply.finish().content).toHaveLength(1);
});

test('two calls under one id are two calls', () => {
  const reply = new ResponseAssembler(true);
  for (const city of ['Oslo', 'Rome', 'Oslo']) reply.add(call('a', { city }));
  expect(reply.finish().content).toMatchObject([
    { toolCallId: 'a', input: { city: 'Oslo' } },
    { toolCallId: 'a 2', input: { city: 'Rome' } },
  ]);
});

test('arguments that are no object come out as they are and go back as an empty one', () => {
  const reply = new ResponseAssembler(true);
  expect(reply.add(call('a', [1]))).toMatchObject({ input: [1] });
  expect(reply.add(call('b', 'text'))).toMatchObject({ input: 'text' });
  expect(reply.finish().content).toMatchObject([{ input: {} }, { input: {} }]);
});

test('blocks keep their order and what the provider attached last', () => {
  const reply = new ResponseAssembler(false);
  reply.add({ type: 'reasoning-start', id: '0', providerMetadata: { p: { signature: null } } });
  reply.add({ type: 'reasoning-delta', id: '0', text: 'Hm.' });
  reply.add({ type: 'text-start', id: '0' });
  reply.add({ type: 'text-delta', id: '0', text: 'Yes.' });
  reply.add({ type: 'reasoning-end', id: '0', providerMetadata: { p: { signature: 'signed' } } });
  reply.add({ type: 'text-start', id: '1' });
  reply.add({ type: 'text-end', id: '1' });
  expect(reply.finish()).toEqual({
    type: 'finish',
    finishReason: 'other',
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
  expect(reply.finish()).toMatchObject({ finishReason: 'tool-calls', content: { length: 1_000 } });
});

test.each([-1_000_000, 1.5, 1e300, Number.NaN])(
  'a provider that counts %d tokens is not believed',
  (count) => {
    const reply = new ResponseAssembler(true);
    reply.add({
      type: 'model-call-end',
      finishReason: 'stop',
      rawFinishReason: 'stop',
      usage: {
        inputTokens: count,
        inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: count, cacheWriteTokens: 3 },
        outputTokens: 7,
        outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
        totalTokens: undefined,
      },
      performance: {} as never,
    });
    expect(reply.finish()).toEqual({
      type: 'finish',
      finishReason: 'stop',
      usage: { outputTokens: 7, cacheWriteTokens: 3 },
      content: [],
    });
  },
);
