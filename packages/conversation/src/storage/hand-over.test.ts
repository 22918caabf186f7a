import { expect, test } from 'vitest';
import { createConversationState } from '../conversation-state.ts';
import { createHandOver } from './hand-over.ts';

const second = { sessionId: 's2', continuationToken: 't2' };

function start() {
  const state = createConversationState(true);
  state.session.value = { sessionId: 's1', continuationToken: 't1' };
  const asked: string[] = [];
  /** Each ends the request that it stands for. */
  const answers: (() => void)[] = [];
  const fetch = async (url: unknown, init?: RequestInit) => {
    asked.push(`${init?.method} ${new URL(String(url)).pathname.match(/s\d/)?.[0]}`);
    await new Promise<void>((resolve) => answers.push(resolve));
    return Response.json({ token: `token ${asked.length}`, expiresAt: '2026-11-23T16:05:00Z' });
  };
  const handOver = createHandOver({ state, connection: { baseUrl: 'http://service', key: 'pk', fetch } });
  const answer = async (request: string) => {
    await expect.poll(() => [asked.at(-1), answers.length]).toEqual([request, 1]);
    answers.pop()!();
  };
  return { state, handOver, asked, answer };
}

test('a link is made once the one before is revoked, however soon it is asked for', async () => {
  const { handOver, asked, answer } = start();
  const [first, next] = [new AbortController(), new AbortController()];
  const made = handOver(first.signal);
  await expect.poll(() => asked).toEqual(['POST s1']);
  first.abort();
  const again = handOver(next.signal);
  await answer('POST s1');
  await made;
  await answer('DELETE s1');
  await answer('POST s1');
  expect(await again).toMatchObject({ token: 'token 3' });
  expect(asked).toEqual(['POST s1', 'DELETE s1', 'POST s1']);
});

test('what is revoked is the link of the conversation that it was made for', async () => {
  const { state, handOver, answer } = start();
  const looking = new AbortController();
  const made = handOver(looking.signal);
  await answer('POST s1');
  await made;
  state.session.value = second;
  looking.abort();
  await answer('DELETE s1');
  state.session.value = null;
  expect(await handOver(looking.signal)).toBeNull();
});
