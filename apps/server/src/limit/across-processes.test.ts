import { expect, test } from 'vitest';
import { type Answer, request } from '../testing/test-service.ts';
import { agentOf, testProcesses } from '../testing/processes.ts';
import { chatPath } from '../testing/chat-service.ts';

const echo = [{ steps: [{ say: '{{input}}' }] }];

function counted(answers: readonly Answer[]): { passed: number; rejected: number; retryAfter: number[] } {
  const rejected = answers.filter(({ status }) => status === 429);
  for (const { headers, body } of rejected)
    expect(body).toMatchObject({ code: 'RATE_LIMITED', retryAfter: Number(headers.get('retry-after')) });
  return {
    passed: answers.filter(({ status }) => status === 200).length,
    rejected: rejected.length,
    retryAfter: [...new Set(rejected.map(({ body }) => body.retryAfter))],
  };
}

test('of bursts of turns over three processes 60 of a key pass in any 60 s, and the rest are told when to come back', async () => {
  // 20 s before a minute ends: a window that begins with the minute would let 120 pass within a few seconds.
  let now = Date.UTC(2030, 0, 1) - 20_000;
  const processes = await testProcesses(3, { clock: () => now });
  const { secret } = await agentOf(processes[0]!, echo);
  let conversations = 0;
  const ask = ({ url }: { url: string }) =>
    request(url + chatPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: `conversation ${(conversations += 1)}`, text: 'hello' }),
    });
  const burst = async (turns: number) =>
    counted(await Promise.all(Array.from({ length: turns }, (_, n) => ask(processes[n % 3]!))));

  expect(await burst(20)).toEqual({ passed: 20, rejected: 0, retryAfter: [] });
  now += 15_000;
  expect(await burst(200)).toEqual({ passed: 40, rejected: 160, retryAfter: [45] });
  now += 44_999;
  expect(await burst(20)).toEqual({ passed: 0, rejected: 20, retryAfter: [1] });
  now += 1;
  expect(await burst(50)).toEqual({ passed: 20, rejected: 30, retryAfter: [15] });
});
