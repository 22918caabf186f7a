import { beforeAll, describe, expect, test } from 'vitest';
import { settled } from '../../bus/contract/heard.ts';
import { agentOf, testProcesses } from '../../testing/processes.ts';
import { startRedis } from '../../testing/redis-server.ts';
import { linesOf, said } from '../../testing/visitor.ts';

const script = [
  { when: 'long', steps: [{ say: 'word ', repeat: 40, delayMs: 5 }] },
  { steps: [{ say: 'Re: {{input}}' }] },
];

let redisUrl = '';
beforeAll(async () => {
  const redis = await startRedis();
  redisUrl = redis.url;
  return redis.stop;
});

describe.each([
  ['PostgreSQL', () => testProcesses(2)],
  ['Redis', () => testProcesses(2, { redisUrl })],
])('with %s as their bus', (_, processes) => {
  test('a stream of one process carries what another appends, to the byte what its own streams carry', async () => {
    const [one, other] = await processes();
    const { publishable } = await agentOf(one!, script);
    const session = await one!.visitor(publishable.key).start('long');
    const readers = [await session.follow(), await other!.visitor(publishable.key).follow(session.id)];
    for (const reader of readers) await reader.boundaries(1);
    await session.send({ message: 'next' });
    for (const reader of readers) {
      await reader.boundaries(2);
      reader.close();
    }
    expect(linesOf(readers[1]!.text)).toEqual(linesOf(readers[0]!.text));
    expect(said(readers[1]!.events)).toEqual(['word '.repeat(40), 'Re: next']);
  });

  test('a process that hears nothing of the others is late and misses nothing', async () => {
    const [one, deaf] = await processes();
    const { publishable } = await agentOf(one!, script);
    const session = await one!.visitor(publishable.key).start('first');
    await session.log(1);
    const reader = await deaf!.visitor(publishable.key).follow(session.id);
    await reader.boundaries(1);
    deaf!.busNetwork.cut();
    await session.send({ message: 'unheard' });
    expect(said(await reader.boundaries(2))).toEqual(['Re: first', 'Re: unheard']);
    expect(deaf!.bus.connected).toBe(false);
    reader.close();
  });

  test('what was missed while the bus was away is read as soon as it is back', async () => {
    const [one, other] = await processes();
    const { publishable } = await agentOf(one!, script);
    const session = await one!.visitor(publishable.key).start('first');
    const reader = await other!.visitor(publishable.key).follow(session.id);
    await reader.boundaries(1);
    other!.busNetwork.cut();
    await session.send({ message: 'unheard' });
    await session.log(2);
    other!.busNetwork.mend();
    expect(said(await reader.boundaries(2))).toEqual(['Re: first', 'Re: unheard']);
    reader.close();
  });

  test('a session that another process ends and erases ends its streams here', async () => {
    const [one, other] = await processes();
    const { publishable } = await agentOf(one!, script);
    const session = await one!.visitor(publishable.key).start('first');
    const reader = await other!.visitor(publishable.key).follow(session.id);
    await reader.boundaries(1);
    expect((await session.control(`${session.id}/end`)).status).toBe(200);
    expect((await reader.rest()).at(-1)?.type).toBe('session.completed');
  });

  test('an agent that is changed on one process answers as changed on the others', async () => {
    const [one, other] = await processes();
    const { agentId, publishable } = await agentOf(one!, script);
    const visitor = other!.visitor(publishable.key);
    const session = await visitor.start('a');
    await session.log(1);
    const model = { provider: 'scripted', script: [{ steps: [{ say: 'Changed.' }] }] };
    expect((await one!.settings('PATCH', `/agents/${agentId}`, { model })).status).toBe(200);
    await settled(one!.bus, other!.bus);
    await session.send({ message: 'c' });
    expect(said(await session.log(2))).toEqual(['Re: a', 'Changed.']);
  });
});
