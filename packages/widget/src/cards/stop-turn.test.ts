import { expect, test } from 'vitest';
import { createService, pass, startChat, stubBrowser } from '../../testing/start-chat.ts';
import { stopTurn } from './stop-turn.ts';

const turn = (sequence: number) => ({ sequence, turnId: `turn_${sequence}` });
const begin = (sequence: number) => ({ type: 'turn.started', data: turn(sequence) });
const end = (sequence: number) => [
  { type: 'turn.completed', data: turn(sequence) },
  { type: 'session.waiting', data: { wait: 'next-user-message', continuationToken: 't1' } },
];

async function startWorking() {
  stubBrowser();
  const service = createService();
  const { chat } = await startChat(service);
  chat.choose({ sessionId: 's1', continuationToken: 't1' });
  service.write(begin(1));
  await pass();
  return { chat, service };
}

test('Stop names its turn, and can be pressed again in the next one, however quickly that begins', async () => {
  const { chat, service } = await startWorking();
  void stopTurn(chat);
  await pass();
  expect(service.posted).toMatchObject([
    { path: '/parley/v1/session/s1/cancel', body: { turnId: 'turn_1' } },
  ]);
  expect(chat.state.stopping).toBe('turn_1');
  service.write(...end(1), begin(2));
  await pass();
  expect(chat.state.transcript.status).toBe('working');
  expect(chat.state.stopping).not.toBe('turn_2');
});

test('a Stop that a proxy has held up is tried again, but not in another turn', async () => {
  const { chat, service } = await startWorking();
  service.respond = () => new Response('', { status: 502 });
  void stopTurn(chat);
  await pass(6_000);
  expect(service.posted.map(({ body }) => body)).toEqual([{ turnId: 'turn_1' }, { turnId: 'turn_1' }]);
  expect(chat.state.stopping).toBeNull();
  service.write(...end(1), begin(2));
  await pass(300_000);
  expect(service.posted).toHaveLength(2);
});
