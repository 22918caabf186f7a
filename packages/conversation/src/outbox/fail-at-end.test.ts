import { expect, test } from 'vitest';
import { createBrowser, createService, pass, startConversation } from '../../testing/start-conversation.ts';

const turn = { sequence: 0, turnId: 'turn_0' };
const session = { sessionId: 's1', continuationToken: 't1' };
const gone = () =>
  Response.json({ ok: false, code: 'SESSION_NOT_FOUND', error: 'There is none.' }, { status: 404 });

test('what waited for its turn when the session ended is not sent, and is in the draft of the next conversation', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  conversation.open(session);
  service.write({ type: 'turn.started', data: turn });
  await pass();
  conversation.send('And one more thing');
  await pass();
  expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'accepted' } }]);
  service.write({ type: 'session.completed', data: {} });
  await pass();
  expect(conversation.outbox.value).toMatchObject([
    { state: { kind: 'failed', error: { code: 'SESSION_NOT_RESUMABLE' } } },
  ]);
  expect(conversation.busy.value).toBe(false);
  await pass(300_000);
  expect(service.posted).toHaveLength(1);
  conversation.draft.change({ text: 'Half a sen' });
  conversation.startNew();
  expect(conversation.outbox.value).toEqual([]);
  expect(conversation.draft.state.value.text).toBe('And one more thing\nHalf a sen');
});

test('a message that is accepted once the session has ended is not sent either', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  const accepting = Promise.withResolvers<Response>();
  const { respond } = service;
  conversation.open(session);
  service.respond = () => accepting.promise;
  conversation.send('Too late');
  await pass();
  service.write({ type: 'session.completed', data: {} });
  await pass();
  accepting.resolve(await respond({ path: '', key: null, visitor: null, body: {} }));
  await pass();
  expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'failed' } }]);
});

test('of a conversation that is no longer there stay what was sent into it and what was being written', async () => {
  const browser = createBrowser();
  const service = createService();
  const { fetch } = service;
  let isGone = false;
  service.fetch = (...request) =>
    isGone && !request[1]?.method ? Promise.resolve(gone()) : fetch(...request);
  const { conversation } = await startConversation(service, browser);
  conversation.open(session);
  await pass();
  conversation.send('Is anybody there?');
  await pass();
  expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'accepted' } }]);
  conversation.draft.change({ text: 'Half a sen' });
  isGone = true;
  conversation.reload();
  await pass(1_000);
  expect(conversation.failure.value).toMatchObject({ code: 'SESSION_NOT_FOUND' });
  expect(conversation.draft.state.value.text).toBe('Half a sen');
  conversation.startNew();
  expect(conversation.draft.state.value.text).toBe('Is anybody there?\nHalf a sen');
});

test('what is being written outlives the end of the conversation', async () => {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  conversation.open(session);
  conversation.draft.change({ text: 'Half a sen' });
  service.write({ type: 'session.completed', data: {} });
  await pass(1_000);
  expect(conversation.transcript.value.status).toBe('ended');
  conversation.dispose();
  const next = await startConversation(service, browser);
  await pass(1_000);
  expect(next.conversation.transcript.value.status).toBe('ended');
  next.conversation.startNew();
  expect(next.conversation.draft.state.value.text).toBe('Half a sen');
});
