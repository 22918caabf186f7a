import { expect, test } from 'vitest';
import { createTabs } from '../../testing/create-tabs.ts';
import { createBrowser, createService, pass, startConversation } from '../../testing/start-conversation.ts';

const session = { sessionId: 's1', continuationToken: 't1' };
const turn = (sequence: number) => ({ sequence, turnId: `turn_${sequence}` });
const answer = (sequence: number) => [
  { type: 'turn.started', data: turn(sequence) },
  {
    type: 'message.completed',
    data: { ...turn(sequence), stepIndex: 0, message: 'Done.', finishReason: 'stop' },
  },
  { type: 'turn.completed', data: turn(sequence) },
];
const request = {
  requestId: 'r1',
  kind: 'question',
  prompt: 'Which?',
  action: { callId: 'c1', toolName: 'ask', input: {} },
};
/** The team alone answers it. */
const ofTeam = { ...request, requestId: 'r2', kind: 'tool-approval', options: [] };
const asks = (sequence: number) => [
  { type: 'turn.started', data: turn(sequence) },
  { type: 'input.requested', data: { ...turn(sequence), stepIndex: 0, requests: [request, ofTeam] } },
  { type: 'turn.completed', data: turn(sequence) },
];

test('what arrives while the conversation is not shown is counted until it is', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  conversation.open(session);
  conversation.show(true);
  service.write(...answer(0));
  await pass();
  expect(conversation.unread.value).toBe(0);
  conversation.show(false);
  service.write(...answer(1), ...answer(2), ...asks(3));
  await pass();
  expect(conversation.unread.value).toBe(3);
  expect(conversation.counts.value).toEqual({ answers: 3, openRequests: 1 });
  conversation.show(true);
  expect(conversation.unread.value).toBe(0);
});

test('what was seen on an earlier page is not new on the next', async () => {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  conversation.open(session);
  conversation.show(true);
  service.write(...answer(0));
  await pass();
  conversation.dispose();
  service.write(...answer(1));
  const next = await startConversation(service, browser);
  await pass();
  expect(next.conversation.unread.value).toBe(1);
});

test('what another tab has shown is no longer new', async () => {
  const service = createService();
  const tabs = createTabs();
  const { conversation: here } = await startConversation(service, tabs.openTab());
  const { conversation: there } = await startConversation(service, tabs.openTab());
  here.open(session);
  service.write(...answer(0));
  await pass(1_000);
  expect(there.unread.value).toBe(1);
  here.show(true);
  tabs.events.dispatchEvent(new Event('storage'));
  expect(there.unread.value).toBe(0);
});

test('a page that is not in sight has seen nothing', async () => {
  const service = createService();
  const browser = createBrowser();
  let isHidden = true;
  const environment = { ...browser.environment, isHidden: () => isHidden };
  const { conversation } = await startConversation(service, { ...browser, environment });
  conversation.open(session);
  conversation.show(true);
  service.write(...answer(0));
  await pass(1_000);
  conversation.show(false);
  expect(conversation.unread.value).toBe(1);
  isHidden = false;
  conversation.show(true);
  conversation.show(false);
  expect(conversation.unread.value).toBe(0);
});

test('a page that is left while the log is still read forgets nothing of what was seen', async () => {
  const browser = createBrowser();
  const service = createService();
  const first = (await startConversation(service, browser)).conversation;
  first.open(session);
  first.show(true);
  service.write(...answer(0));
  await pass();
  // As it is while the rest of the log is on its way.
  browser.storage.setItem(`${first.name}:seen`, '3');
  first.reload();
  await pass();
  first.dispose();
  service.write(...answer(1), ...answer(2), ...answer(3));
  const next = (await startConversation(service, browser)).conversation;
  await pass();
  expect(next.unread.value).toBe(1);
  next.show(true);
  next.open({ sessionId: 's2', continuationToken: 't1' });
  expect(browser.storage.getItem(`${next.name}:seen`)).toBe(null);
});
