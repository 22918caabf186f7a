import { expect, test } from 'vitest';
import { createBrowser, createService, pass, startConversation } from '../../testing/start-conversation.ts';

const turn = { sequence: 1, turnId: 'turn_1' };
const said = { ...turn, message: 'Hello', parts: [{ type: 'text', text: 'Hello' }] };
const reference = { sessionId: 's1', continuationToken: 't1' };

async function talk() {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  conversation.send('Hello');
  await pass();
  service.write({ type: 'turn.started', data: turn }, { type: 'message.received', data: said });
  await pass();
  return { service, conversation };
}

test('a conversation that is left for a new one can be gone back to, until it is', async () => {
  const { conversation } = await talk();
  expect(conversation.lastConversation()).toBeNull();
  conversation.startNew();
  expect(conversation.session.value).toBeNull();
  expect(conversation.lastConversation()).toMatchObject({ ...reference, firstMessage: 'Hello' });
  conversation.open(conversation.lastConversation()!);
  expect(conversation.session.value).toEqual(reference);
  expect(conversation.lastConversation()).toBeNull();
});

test('one that is over is not offered, nor is one of another visitor', async () => {
  const { service, conversation } = await talk();
  conversation.startNew();
  await conversation.logout();
  expect(conversation.lastConversation()).toBeNull();
  conversation.open(reference);
  await pass();
  service.write({ type: 'session.completed', data: {} });
  await pass();
  expect(conversation.transcript.value.status).toBe('ended');
  conversation.startNew();
  expect(conversation.lastConversation()).toBeNull();
});
