import { expect, test } from 'vitest';
import type { ModelPart } from '../model/model.ts';
import { callModel } from './call-model.ts';

type Context = Parameters<typeof callModel>[0];

test('of an answer that comes in one piece no more is taken once the call was given up', async () => {
  const gone = new AbortController();
  const standIn = {
    id: 'stand-in',
    async *stream(): AsyncGenerator<ModelPart> {
      yield { type: 'text', text: 'word '.repeat(40_000) };
    },
  };
  const call = { messages: [], tools: [], instructions: '', toolChoice: undefined, outputSchema: undefined };
  let taken = 0;
  const answered = callModel(
    { standIn, model: standIn, span: undefined } as unknown as Context,
    { ...call, signal: gone.signal },
    () => 0,
    () => {
      taken += 1;
      if (taken === 3) setImmediate(() => gone.abort(new Error('cancelled')));
      return undefined;
    },
  );
  await expect(answered).rejects.toThrow('cancelled');
  expect(taken).toBe(3);
});
