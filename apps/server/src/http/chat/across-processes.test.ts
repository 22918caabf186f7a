import { expect, test } from 'vitest';
import { chatPath, chunksOf, textOf } from '../../testing/chat-service.ts';
import { type TestAgent, type TestProcess, agentOf, testProcesses } from '../../testing/processes.ts';

const script = [
  { when: 'endless', steps: [{ say: 'word ', repeat: 100_000, delayMs: 20 }] },
  { when: 'long', steps: [{ say: 'word ', repeat: 60, delayMs: 20 }] },
  { steps: [{ say: 'Re: {{input}}' }] },
];

function ask(
  { url }: TestProcess,
  { secret }: TestAgent,
  text: string,
  accept: string,
  signal?: AbortSignal,
) {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  return fetch(url + chatPath, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret.key}`, 'content-type': 'application/json', accept },
    body: JSON.stringify({ id: 'c', text }),
    ...(signal && { signal }),
  });
}

test('an answer is read from a process that does not run it', async () => {
  const [one, other] = await testProcesses(2);
  const agent = await agentOf(one!, script);
  const first = await ask(one!, agent, 'long', 'text/event-stream');
  const second = ask(other!, agent, 'next', 'application/json');
  expect(textOf(chunksOf(await first.text()))).toBe('word '.repeat(60));
  expect(await (await second).json()).toMatchObject({ text: 'Re: next' });
});

test('a turn that nobody reads any more is cancelled when its conversation goes on through another process', async () => {
  const [one, other] = await testProcesses(2);
  const agent = await agentOf(one!, script);
  const abort = new AbortController();
  const left = await ask(one!, agent, 'endless', 'text/event-stream', abort.signal);
  await left.body!.getReader().read();
  abort.abort();
  const next = await ask(other!, agent, 'next', 'application/json');
  expect(await next.json()).toMatchObject({ text: 'Re: next' });
});
