import { expect, test } from 'vitest';
import { createService, pass, startConversation } from '../../testing/start-conversation.ts';

const turn = (sequence: number) => ({ sequence, turnId: `turn_${sequence}` });
const begin = (sequence: number) => ({ type: 'turn.started', data: turn(sequence) });
const end = (sequence: number) => [
  { type: 'turn.completed', data: turn(sequence) },
  { type: 'session.waiting', data: { wait: 'next-user-message', continuationToken: 't1' } },
];

async function startWorking() {
  const service = createService();
  const { conversation } = await startConversation(service);
  conversation.open({ sessionId: 's1', continuationToken: 't1' });
  service.write(begin(1));
  await pass();
  return { conversation, service };
}

test('Stop names its turn, and can be pressed again in the next one, however quickly that begins', async () => {
  const { conversation, service } = await startWorking();
  conversation.stop();
  await pass();
  expect(service.posted).toMatchObject([
    { path: '/parley/v1/session/s1/cancel', body: { turnId: 'turn_1' } },
  ]);
  expect(conversation.stopping.value).toBe('turn_1');
  service.write(...end(1), begin(2));
  await pass();
  expect(conversation.transcript.value.status).toBe('working');
  expect(conversation.stopping.value).not.toBe('turn_2');
});

test('a Stop that a proxy has held up is tried again, but not in another turn', async () => {
  const { conversation, service } = await startWorking();
  service.respond = () => new Response('', { status: 502 });
  conversation.stop();
  await pass(6_000);
  expect(service.posted.map(({ body }) => body)).toEqual([{ turnId: 'turn_1' }, { turnId: 'turn_1' }]);
  expect(conversation.stopping.value).toBeNull();
  service.write(...end(1), begin(2));
  await pass(300_000);
  expect(service.posted).toHaveLength(2);
});
