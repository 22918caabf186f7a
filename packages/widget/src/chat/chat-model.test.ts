import { expect, test, vi } from 'vitest';
import { createService, pass, startChat, stubBrowser } from '../../testing/start-chat.ts';

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
  stubBrowser();
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  const service = createService();
  const { chat, host } = await startChat(service);
  const errors: unknown[] = [];
  host.addEventListener('parley:error', (event) => errors.push((event as CustomEvent).detail));
  chat.choose(session);
  service.write(
    ...asked(1, 'Hello'),
    { type: 'actions.requested', data: step(1) },
    { type: 'message.completed' },
    null as unknown as { type: string },
    said(1, 'Hi.'),
  );
  await pass();
  expect(chat.state.transcript.turns).toMatchObject([{ user: { text: 'Hello' }, parts: [{ text: 'Hi.' }] }]);
  expect(chat.state.failure).toBeNull();
  expect(errors).toEqual(
    [2, 3, 4].map((index) => ({ code: 'PROTOCOL', message: `Event ${index} cannot be shown.` })),
  );
  expect(told).toHaveBeenCalledTimes(3);
});

const ended = (sequence: number) => [
  { type: 'turn.completed', data: turn(sequence) },
  { type: 'session.waiting', data: { wait: 'next-user-message', continuationToken: 't1' } },
];
const refuse = () => Response.json({ ok: false, code: 'BAD_REQUEST', error: 'No.' }, { status: 400 });

test('what is written survives a new conversation, and so does what could not be sent', async () => {
  stubBrowser();
  const service = createService();
  const { chat, saved } = await startChat(service);
  const { respond } = service;
  chat.send('Heard');
  await pass();
  service.write(...asked(1, 'Heard'), said(1, 'Hi.'), ...ended(1));
  await pass();
  service.respond = refuse;
  chat.send('Not heard');
  await pass();
  chat.draft.set({ text: 'Half a sen' });
  chat.startNew();
  expect(chat.draft.state.text).toBe('Not heard\nHalf a sen');
  await pass(1_000);
  expect(saved.get('draft')).toBe('Not heard\nHalf a sen');
  expect(saved.readOutbox()).toEqual([]);
  expect(chat.state.session).toBeNull();
  service.respond = respond;
});

test('what waits at the service to be answered is not written again', async () => {
  stubBrowser();
  const { chat } = await startChat(createService());
  chat.send('Hello');
  await pass();
  expect(chat.state.outbox).toMatchObject([{ state: { kind: 'accepted' } }]);
  chat.startNew();
  expect(chat.draft.state.text).toBe('');
});

test('another tab that leaves the conversation does not take along what this one has written', async () => {
  stubBrowser();
  const service = createService();
  const { chat } = await startChat(service);
  chat.choose(session);
  service.respond = refuse;
  chat.send('Not heard');
  await pass();
  const other = new BroadcastChannel('parley:http://service:pk');
  other.postMessage(null);
  await vi.waitFor(() => expect(chat.state.session).toBeNull());
  other.close();
  expect(chat.draft.state.text).toBe('Not heard');
});

test('a message that has become too old to be sent by itself is still there, for its visitor to decide', async () => {
  stubBrowser();
  const service = createService();
  localStorage.setItem(
    'parley:http://service:pk:outbox',
    JSON.stringify([{ id: 'a'.repeat(32), text: 'Yesterday', at: Date.now() - 86_400_000, after: 0 }]),
  );
  const { chat } = await startChat(service);
  await pass(300_000);
  expect(service.posted).toEqual([]);
  expect(chat.state.outbox).toMatchObject([{ text: 'Yesterday', state: { kind: 'failed' } }]);
  chat.retry('a'.repeat(32));
  await pass();
  expect(service.posted).toMatchObject([{ body: { message: 'Yesterday' } }]);
});

test('only a turn whose message was written while nothing was being answered begins at the top', async () => {
  stubBrowser();
  const service = createService();
  const { chat } = await startChat(service);
  chat.send('one');
  await pass();
  service.write(...asked(1, 'one'));
  await pass();
  expect(chat.state.leading).toBe('turn_1');
  chat.send('two');
  await pass();
  service.write(said(1, 'One.'), ...ended(1), ...asked(2, 'two'));
  await pass();
  expect(chat.state.ownTurns).toEqual(new Set(['turn_1', 'turn_2']));
  expect(chat.state.leading).toBe('turn_1');
});

test('nothing is stored of what the page has put into the field, until its visitor changes it', async () => {
  const browser = stubBrowser();
  const { chat } = await startChat(createService());
  chat.draft.prefill('I would like to ');
  await pass(1_000);
  browser.dispatchEvent(new Event('pagehide'));
  expect(localStorage.length).toBe(0);
  chat.draft.set({ text: 'I would like to know' });
  await pass(1_000);
  expect(localStorage.getItem('parley:http://service:pk:draft')).toBe('I would like to know');
  chat.draft.set({ text: '' });
  await pass(1_000);
  expect(localStorage.length).toBe(0);
});
