import { expect, test } from 'vitest';
import { failingService, heldTimeouts } from '../../testing/failing-service.ts';
import { chatPath, chunksOf, eventStream, plainText } from '../../testing/chat-service.ts';

const script = [
  { when: 'silent', steps: [{ wait: 600_000 }] },
  { steps: [{ say: 'Wait. ' }, { wait: 600_000 }] },
];

test('replies that a stopping process cannot finish say so, each in its way', async () => {
  const { url, key, modelCalls, stop } = await failingService(script, () => ({}));
  const ask = (id: string, text: string, headers: Record<string, string> = {}) =>
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
    fetch(url + chatPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ id, text }),
    });
  const silent = [ask('json', 'silent'), ask('early', 'silent', eventStream)];
  const begun = await ask('begun', 'hello', eventStream);
  const plain = await ask('plain', 'hello', plainText);
  await expect.poll(modelCalls).toBe(4);

  const timeouts = heldTimeouts();
  let stopped = false;
  void stop().then(() => (stopped = true));
  const over = async () => {
    await timeouts.pass();
    return stopped;
  };
  const refused = Promise.all(
    silent.map(async (each) => {
      const response = await each;
      return [
        response.status,
        response.headers.get('retry-after'),
        ((await response.json()) as { code: string }).code,
      ];
    }),
  );
  const cut = plain.text().catch(() => 'cut');
  const told = begun.text();
  await expect.poll(over).toBe(true);
  expect(await refused).toEqual([
    [503, '1', 'UNAVAILABLE'],
    [503, '1', 'UNAVAILABLE'],
  ]);
  expect(await cut).toBe('cut');
  const body = await told;
  expect(chunksOf(body).at(-1)).toEqual({ type: 'error', errorText: 'The answer was interrupted.' });
  expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
});
