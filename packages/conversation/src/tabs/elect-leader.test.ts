import { expect, test } from 'vitest';
import { createTabs } from '../../testing/create-tabs.ts';
import { createService, pass, startConversation } from '../../testing/start-conversation.ts';

const turn = (sequence: number) => ({ sequence, turnId: `turn_${sequence}` });
const asked = (sequence: number, message: string) => [
  { type: 'turn.started', data: turn(sequence) },
  { type: 'message.received', data: { ...turn(sequence), message, parts: [] } },
];
const said = (sequence: number, message: string) => ({
  type: 'message.completed',
  data: { ...turn(sequence), stepIndex: 0, message, finishReason: 'stop' },
});

type Conversation = Awaited<ReturnType<typeof startConversation>>['conversation'];
const shown = ({ transcript }: Conversation) =>
  transcript.value.turns.map(({ user, parts }) => [
    user?.text,
    ...parts.map((part) => 'text' in part && part.text),
  ]);

/** Two tabs in one conversation, which the first of them has begun. */
async function startTwo() {
  const service = createService();
  const tabs = createTabs();
  const [first, second] = [tabs.openTab(), tabs.openTab()];
  const { conversation: here } = await startConversation(service, first);
  here.send('Hello');
  await pass();
  service.write(...asked(0, 'Hello'));
  await pass();
  const { conversation: there } = await startConversation(service, second);
  await pass(1_000);
  return { service, first, second, here, there };
}

test('one tab reads for all', async () => {
  const { service, here, there } = await startTwo();
  expect(service.open()).toBe(1);
  service.write(said(0, 'Hi.'));
  await pass();
  for (const each of [here, there]) {
    expect(shown(each)).toEqual([['Hello', 'Hi.']]);
    expect(each.connectionStatus.value).toBe('live');
  }
});

test('a message leaves the outbox of the tab that it was written in when another tab has read it', async () => {
  const { service, here, there } = await startTwo();
  there.send('And I');
  await pass();
  expect(there.outbox.value).toMatchObject([{ text: 'And I', state: { kind: 'accepted' } }]);
  service.write(...asked(1, 'And I'));
  await pass();
  expect(there.outbox.value).toEqual([]);
  expect(there.ownTurns.value).toEqual(new Set(['turn_1']));
  expect(here.ownTurns.value).toEqual(new Set(['turn_0']));
});

test('the next tab reads on where the one that has read is closed', async () => {
  const { service, here, there } = await startTwo();
  here.dispose();
  service.write(said(0, 'Hi.'));
  await pass(1_000);
  expect(service.open()).toBe(1);
  expect(shown(there)).toEqual([['Hello', 'Hi.']]);
});

test('a tab that is frozen while it reads has that taken away', async () => {
  const { service, first, there } = await startTwo();
  first.freeze();
  service.write(said(0, 'Hi.'));
  await pass(1_000);
  expect(shown(there)).toEqual([['Hello']]);
  await pass(5_000);
  expect(shown(there)).toEqual([['Hello', 'Hi.']]);
});

test('of two tabs that write the first message at once one begins the conversation', async () => {
  const service = createService();
  const tabs = createTabs();
  const [{ conversation: here }, { conversation: there }] = [
    await startConversation(service, tabs.openTab()),
    await startConversation(service, tabs.openTab()),
  ];
  here.send('From here');
  there.send('From there');
  await pass(1_000);
  expect(service.posted.map(({ path, body }) => [path, body['message']])).toEqual([
    ['/parley/v1/session', 'From here'],
    ['/parley/v1/session/s1', 'From there'],
  ]);
  expect(there.session.value?.sessionId).toBe('s1');
});

test('a conversation that is left in one tab is left in every tab', async () => {
  const { service, here, there } = await startTwo();
  here.startNew();
  await pass();
  for (const each of [here, there]) {
    expect(each.session.value).toBeNull();
    expect(shown(each)).toEqual([]);
  }
  expect(service.open()).toBe(0);
});

test('a visitor who leaves in one tab leaves nothing in any', async () => {
  const { first, here, there } = await startTwo();
  there.draft.change({ text: 'Half a sen' });
  await pass(1_000);
  await here.logout();
  await pass(1_000);
  for (const each of [here, there]) {
    expect(each.session.value).toBeNull();
    expect(shown(each)).toEqual([]);
    expect(each.draft.state.value.text).toBe('');
  }
  expect(first.storage.length).toBe(0);
});
