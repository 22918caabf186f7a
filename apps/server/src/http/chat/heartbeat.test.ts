import { afterAll, expect, test, vi } from 'vitest';
import { chatService, chunksOf, eventStream, plainText, textOf } from '../../testing/chat-service.ts';

vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
const service = await chatService();
afterAll(() => void vi.useRealTimers());

async function holding() {
  const agent = await service.agent([{ steps: [{ say: 'Wait. ' }, { call: 'hold' }, { say: 'Done.' }] }], {
    tools: [{ name: 'hold' }],
  });
  return { agent, call: () => service.endpoint.call('/hold') };
}

test('event stream: a comment every 5 s while the turn is quiet', async () => {
  const { agent, call } = await holding();
  const response = await agent.post({ id: 'c', text: 'hello' }, eventStream);
  const held = await call();
  let body = '';
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) body += chunk;
  })();
  for (let beat = 1; beat <= 3; beat += 1) {
    vi.advanceTimersByTime(5_000);
    while (body.split(':\n\n').length - 1 < beat) await new Promise(setImmediate);
  }
  held.answer('it');
  await reading;
  expect(textOf(chunksOf(body))).toBe('Wait. Done.');
});

test('plain text: nothing but the reply, however quiet the turn', async () => {
  const { agent, call } = await holding();
  const response = await agent.post({ id: 'c', text: 'hello' }, plainText);
  const held = await call();
  vi.advanceTimersByTime(60_000);
  held.answer('it');
  expect(await response.text()).toBe('Wait. Done.');
});
