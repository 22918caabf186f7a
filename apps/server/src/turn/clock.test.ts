import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { chatService } from '../testing/chat-service.ts';
import { Visitor, dataOf, said } from '../testing/visitor.ts';

let service: Awaited<ReturnType<typeof chatService>>;
beforeAll(async () => {
  service = await chatService();
});

test('a clock that jumps takes no session from the process that runs it', async () => {
  const script = [
    { when: 'call', steps: [{ call: 'held' }, { say: 'Got {{result}}.' }] },
    { steps: [{ say: 'Next.' }] },
  ];
  const agent = await service.agent(script, { tools: [{ name: 'held' }] });
  const session = await new Visitor(service.url, agent.secret.key).start('call');
  const call = await service.endpoint.call('/held');
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(await session.send({ message: 'and more' })).toMatchObject({ status: 200 });
  call.answer('it');
  const events = await session.log(2);
  expect(said(events)).toEqual(['Got it.', 'Next.']);
  expect(dataOf(events, 'turn.failed')).toEqual([]);
});
