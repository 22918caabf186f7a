import { expect, test, vi } from 'vitest';
import {
  createBrowser,
  createService,
  pass,
  readStorage,
  startConversation,
} from '../testing/start-conversation.ts';

const session = { sessionId: 's1', continuationToken: 't1' };
const turn = (sequence: number) => ({ sequence, turnId: `turn_${sequence}` });
const step = (sequence: number) => ({ ...turn(sequence), stepIndex: 0 });
const asked = (sequence: number, message: string) => [
  { type: 'turn.started', data: turn(sequence) },
  {
    type: 'message.received',
    data: { ...turn(sequence), message, parts: [{ type: 'text', text: message }] },
  },
];
const said = (sequence: number, message: string) => ({
  type: 'message.completed',
  data: { ...step(sequence), message, finishReason: 'stop' },
});

test('an event that cannot be understood is passed over and told to the page', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const service = createService();
  const { conversation, errors } = await startConversation(service);
  conversation.open(session);
  service.write(
    ...asked(1, 'Hello'),
    { type: 'actions.requested', data: step(1) },
    { type: 'message.completed' },
    null as unknown as { type: string },
    said(1, 'Hi.'),
  );
  await pass();
  expect(conversation.transcript.value.turns).toMatchObject([
    { user: { text: 'Hello' }, parts: [{ text: 'Hi.' }] },
  ]);
  expect(conversation.failure.value).toBeNull();
  expect(errors).toEqual(
    [2, 3, 4].map((index) => ({ code: 'PROTOCOL', message: `Event ${index} cannot be shown.` })),
  );
  expect(logged).toHaveBeenCalledTimes(3);
});

const ended = (sequence: number) => [
  { type: 'turn.completed', data: turn(sequence) },
  { type: 'session.waiting', data: { wait: 'next-user-message', continuationToken: 't1' } },
];
const refuse = () => Response.json({ ok: false, code: 'BAD_REQUEST', error: 'No.' }, { status: 400 });

test('what is written survives a new conversation, and so does what could not be sent', async () => {
  const browser = createBrowser();
  const service = createService();
  const { conversation } = await startConversation(service, browser);
  const { respond } = service;
  conversation.send('Heard');
  await pass();
  service.write(...asked(1, 'Heard'), said(1, 'Hi.'), ...ended(1));
  await pass();
  service.respond = refuse;
  conversation.send('Not heard');
  await pass();
  conversation.draft.change({ text: 'Half a sen' });
  conversation.startNew();
  expect(conversation.draft.state.value.text).toBe('Not heard\nHalf a sen');
  await pass(1_000);
  expect(readStorage(browser).get('draft')).toBe('Not heard\nHalf a sen');
  expect(readStorage(browser).readOutbox()).toEqual([]);
  expect(conversation.session.value).toBeNull();
  service.respond = respond;
});

test('what waits at the service to be answered is not written again', async () => {
  const { conversation } = await startConversation(createService());
  conversation.send('Hello');
  await pass();
  expect(conversation.outbox.value).toMatchObject([{ state: { kind: 'accepted' } }]);
  conversation.startNew();
  expect(conversation.draft.state.value.text).toBe('');
});

test('another tab that leaves the conversation does not take along what this one has written', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  conversation.open(session);
  service.respond = refuse;
  conversation.send('Not heard');
  await pass();
  const other = new BroadcastChannel('parley:http://service:pk');
  other.postMessage(null);
  await expect.poll(() => conversation.session.value).toBeNull();
  other.close();
  expect(conversation.draft.state.value.text).toBe('Not heard');
});

test('a message that has become too old to be sent by itself is still there, for its visitor to decide', async () => {
  const browser = createBrowser();
  const service = createService();
  browser.storage.setItem(
    'parley:http://service:pk:outbox',
    JSON.stringify([{ id: 'a'.repeat(32), text: 'Yesterday', at: Date.now() - 86_400_000, after: 0 }]),
  );
  const { conversation } = await startConversation(service, browser);
  await pass(300_000);
  expect(service.posted).toEqual([]);
  expect(conversation.outbox.value).toMatchObject([{ text: 'Yesterday', state: { kind: 'failed' } }]);
  conversation.retry('a'.repeat(32));
  await pass();
  expect(service.posted).toMatchObject([{ body: { message: 'Yesterday' } }]);
});

test('only a turn whose message was written while nothing was being answered begins at the top', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  conversation.send('one');
  await pass();
  service.write(...asked(1, 'one'));
  await pass();
  expect(conversation.leading.value).toBe('turn_1');
  conversation.send('two');
  await pass();
  service.write(said(1, 'One.'), ...ended(1), ...asked(2, 'two'));
  await pass();
  expect(conversation.ownTurns.value).toEqual(new Set(['turn_1', 'turn_2']));
  expect(conversation.leading.value).toBe('turn_1');
});

test('a message that somebody else sent in the same words leaves the own one on its way', async () => {
  const service = createService();
  const { conversation } = await startConversation(service);
  conversation.send('one');
  await pass();
  service.write(...asked(1, 'one'));
  await pass();
  conversation.send('two');
  await pass();
  service.write({
    type: 'message.received',
    data: { ...turn(2), clientMessageId: 'of-another-client', message: 'two', parts: [] },
  } as { type: string });
  await pass();
  expect(conversation.outbox.value).toMatchObject([{ text: 'two', state: { kind: 'accepted' } }]);
  expect(conversation.ownTurns.value).toEqual(new Set(['turn_1']));
  service.write(...asked(3, 'two'));
  await pass();
  expect(conversation.outbox.value).toEqual([]);
  expect(conversation.ownTurns.value).toEqual(new Set(['turn_1', 'turn_3']));
});

test('what an earlier version sent without a name is known by its words', async () => {
  const service = createService();
  const browser = createBrowser();
  const earlier = { id: 'k'.repeat(32), text: 'one', at: Date.now(), options: {}, after: 0 };
  readStorage(browser).write({ sessionId: 's1', continuationToken: 't1' });
  readStorage(browser).writeOutbox([earlier]);
  const { conversation } = await startConversation(service, browser);
  await pass();
  service.posted.length = 0;
  service.write(...asked(1, 'one'));
  await pass();
  expect(conversation.outbox.value).toEqual([]);
});

test('nothing is stored of what the page has put into the field, until its visitor changes it', async () => {
  const browser = createBrowser();
  const { conversation } = await startConversation(createService(), browser);
  conversation.draft.prefill('I would like to ');
  await pass(1_000);
  browser.events.dispatchEvent(new Event('pagehide'));
  expect(browser.storage.length).toBe(0);
  conversation.draft.change({ text: 'I would like to know' });
  await pass(1_000);
  expect(browser.storage.getItem('parley:http://service:pk:draft')).toBe('I would like to know');
  conversation.draft.change({ text: '' });
  await pass(1_000);
  expect(browser.storage.length).toBe(0);
});
