import { setImmediate as nextImmediate } from 'node:timers/promises';
import { maxEventBytes } from '@parley/protocol/bounds';
import { beforeAll, expect, test } from 'vitest';
import { chatService } from '../testing/chat-service.ts';
import { Visitor, dataOf, said } from '../testing/visitor.ts';

let service: Awaited<ReturnType<typeof chatService>>;
beforeAll(async () => {
  service = await chatService();
});

test.each(['text', 'reasoning'] as const)(
  'a model whose %s has no end is not listened to for ever',
  async (type) => {
    const agent = await service.agent([], { agent: { reasoning: { effort: 'low', show: true } } });
    let listening = true;
    agent.model(async function* () {
      try {
        for (;;) {
          await nextImmediate();
          yield { type, text: 'word '.repeat(2_000) };
        }
      } finally {
        listening = false;
      }
    });
    const session = await new Visitor(service.url, agent.secret.key).start('go');
    const events = await session.log(1);
    expect(listening).toBe(false);
    expect(dataOf(events, 'step.completed')).toMatchObject([{ finishReason: 'length' }]);
    expect(dataOf(events, 'turn.completed')).toHaveLength(1);
    expect(said(events)).toEqual([type === 'text' ? 'word '.repeat(40_000) : null]);
    const reasoning = dataOf(events, 'reasoning.completed').map((event) => event.reasoning);
    expect(reasoning).toEqual(type === 'text' ? [] : ['word '.repeat(40_000)]);
    for (const event of events) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(maxEventBytes);
  },
);

test('while an answer that comes in one piece is taken, others have their turn, and it is kept as it is', async () => {
  const agent = await service.agent([]);
  const text = 'A heron stands still. '.repeat(4_000);
  let turns = 0;
  let taken: number | null = null;
  const take = () => {
    turns += 1;
    if (taken === null) setImmediate(take);
  };
  agent.model(async function* () {
    setImmediate(take);
    yield { type: 'text', text };
    taken = turns;
    yield { type: 'finish', finishReason: 'stop', usage: {}, content: [{ type: 'text', text }] };
  });
  const session = await new Visitor(service.url, agent.secret.key).start('go');
  expect(said(await session.log(1))).toEqual([text]);
  expect(taken).toBeGreaterThan(10);
});
