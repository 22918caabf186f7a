import { expect, test } from 'vitest';
import { chatPath, chunksOf, textOf } from '../../testing/chat-service.ts';
import { settled } from '../../bus/contract/heard.ts';
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

/** Longer than any of these turns: what ends one is not that nobody came back. */
const patient = { chatTiming: { turnMs: 600_000, graceMs: 600_000 } };
const hasty = { chatTiming: { turnMs: 600_000, graceMs: 50 } };

/** A turn that the first process runs, and that is read by the second alone. */
async function readElsewhere(text: string) {
  const [runs, reads] = await testProcesses(2, patient);
  const agent = await agentOf(runs!, script);
  const before = await ask(runs!, agent, 'long', 'text/event-stream');
  const abort = new AbortController();
  // Queued behind a turn of the first process, which goes on with it.
  const asking = ask(reads!, agent, text, 'text/event-stream', abort.signal);
  await before.text();
  const reply = (await asking).body!.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reply.read();
  await settled(reads!.bus, runs!.bus);
  return { runs: runs!, reads: reads!, agent, abort, reply, first: first.value ?? '' };
}

test('a turn that is read in another process than its own goes on when its conversation does', async () => {
  const { runs, agent, reply, first } = await readElsewhere('long');
  const next = ask(runs, agent, 'next', 'application/json');
  let text = first;
  for (let part = await reply.read(); !part.done; part = await reply.read()) text += part.value;
  expect(textOf(chunksOf(text))).toBe('word '.repeat(60));
  expect(await (await next).json()).toMatchObject({ text: 'Re: next' });
});

test('a process that stops reads a turn of another one to its end', async () => {
  const { reads, reply, first } = await readElsewhere('long');
  const stopped = reads.stop();
  let text = first;
  for (let part = await reply.read(); !part.done; part = await reply.read()) text += part.value;
  expect(textOf(chunksOf(text))).toBe('word '.repeat(60));
  await stopped;
});

test('a turn whose conversation went on is cancelled at once when its reader in another process leaves', async () => {
  const { runs, agent, abort, reply } = await readElsewhere('endless');
  const next = ask(runs, agent, 'next', 'application/json');
  await reply.read();
  abort.abort();
  expect(await (await next).json()).toMatchObject({ text: 'Re: next' });
});

test('of two readers in two processes one may leave for good', async () => {
  const [one, other] = await testProcesses(2, hasty);
  const agent = await agentOf(one!, script);
  const abort = new AbortController();
  const left = await ask(one!, agent, 'long', 'text/event-stream', abort.signal);
  await left.body!.getReader().read();
  // Else the turn could be over before the other reader is there.
  const end = one!.hold('commit');
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const stays = await fetch(`${other!.url}${chatPath}/c/stream`, {
    headers: { authorization: `Bearer ${agent.secret.key}` },
  });
  await settled(other!.bus, one!.bus);
  abort.abort();
  end();
  expect(textOf(chunksOf(await stays.text()))).toBe('word '.repeat(60));
});
