import { expect, onTestFinished, test } from 'vitest';
import { chatPath } from '../../testing/chat-service.ts';
import { failingService } from '../../testing/failing-service.ts';
import { logOf } from '../../store/contract/samples.ts';

test('a repeat that comes before the end of its abandoned turn is written gets a turn of its own', async () => {
  const ending = Promise.withResolvers<void>();
  let ends = 0;
  let repeats = 0;
  const { store, agentId, url, key, modelCalls } = await failingService(
    [{ steps: [{ say: 'Some words.' }, { wait: 600_000 }] }],
    (sqlite) => ({
      async commit(lease, change) {
        if (change.endTurns?.length && (ends += 1) === 1) await ending.promise;
        return sqlite.commit(lease, change);
      },
      async enqueue(request) {
        const result = await sqlite.enqueue(request);
        if (result.outcome === 'repeated') repeats += 1;
        return result;
      },
    }),
  );
  const ask = () => {
    const reader = new AbortController();
    onTestFinished(() => reader.abort());
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
    void fetch(url + chatPath, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': 'the-same-message',
      },
      body: JSON.stringify({ id: 'c', text: 'hello' }),
      signal: reader.signal,
    }).catch(() => null);
    return { leave: () => reader.abort() };
  };
  const first = ask();
  await expect.poll(modelCalls).toBe(1);
  first.leave();
  await expect.poll(() => ends).toBe(1);
  ask();
  await expect.poll(() => repeats).toBe(1);
  ending.resolve();
  await expect.poll(modelCalls).toBe(2);
  const conversation = await store.findConversation(agentId, 'secret', 'c');
  const turns = async () => {
    const types = (await logOf(store, conversation!.id)).map(({ event }) => event.type);
    return types.filter((type) => type.startsWith('turn.'));
  };
  // The model is asked while the beginning of its turn is being written.
  await expect.poll(turns).toEqual(['turn.started', 'turn.cancelled', 'turn.started']);
});

test('a repeat that looked for its conversation before there was one gets the answer that is in it', async () => {
  const found = Promise.withResolvers<void>();
  let looks = 0;
  const { url, key } = await failingService([{ steps: [{ say: 'Re: {{input}}' }] }], (sqlite) => ({
    async findConversation(...conversation) {
      const known = await sqlite.findConversation(...conversation);
      if ((looks += 1) === 1) await found.promise;
      return known;
    },
  }));
  const ask = async (text: string): Promise<unknown> => {
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
    const response = await fetch(url + chatPath, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `the-message-${text}`,
      },
      body: JSON.stringify({ id: 'c', text }),
    });
    return response.json();
  };
  const repeat = ask('second');
  await expect.poll(() => looks).toBe(1);
  expect(await ask('first')).toMatchObject({ text: 'Re: first' });
  expect(await ask('second')).toMatchObject({ text: 'Re: second' });
  found.resolve();
  expect(await repeat).toMatchObject({ text: 'Re: second' });
});

test('a repeat reads nothing of what its conversation said before it', async () => {
  const reads: number[] = [];
  // More than a process keeps in memory of a conversation.
  const script = [{ steps: [{ say: `{{input}}${'.'.repeat(19_000)}{{input}}` }] }];
  const { store, agentId, url, key } = await failingService(script, (sqlite) => ({
    readEvents(sessionId, from, limit) {
      reads.push(from);
      return sqlite.readEvents(sessionId, from, limit);
    },
  }));
  const ask = async (text: string, headers = {}): Promise<{ text: string }> => {
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
    const response = await fetch(url + chatPath, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ id: 'c', text: text.padEnd(9_000, '.') }),
    });
    return response.json() as Promise<{ text: string }>;
  };
  const once = { 'idempotency-key': 'the-third-message' };
  await ask('first');
  await ask('second');
  const { nextIndex } = (await store.findConversation(agentId, 'secret', 'c'))!;
  const said = await ask('third', once);
  await ask('fourth');
  reads.length = 0;
  expect(await ask('third', once)).toEqual(said);
  expect(reads.length).toBeGreaterThan(0);
  expect(Math.min(...reads)).toBe(nextIndex);
});

test('a repeat is answered where the conversation began anew after it was found', async () => {
  const deleted = Promise.withResolvers<void>();
  let looks = 0;
  const { url, key } = await failingService([{ steps: [{ say: 'Re: {{input}}' }] }], (sqlite) => ({
    async findConversation(...conversation) {
      const known = await sqlite.findConversation(...conversation);
      if ((looks += 1) === 2) await deleted.promise;
      return known;
    },
  }));
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
    const response = await fetch(url + chatPath + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `the-message-of-${JSON.stringify(body)?.length}`,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
  await call('POST', '', { id: 'c', text: 'first' });
  const second = call('POST', '', { id: 'c', text: 'the second' });
  await expect.poll(() => looks).toBe(2);
  await call('DELETE', '/c');
  deleted.resolve();
  expect(await second).toMatchObject({ text: 'Re: the second' });
  expect(await call('POST', '', { id: 'c', text: 'the second' })).toEqual(await second);
});
