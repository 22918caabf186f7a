import { expect, test } from 'vitest';
import {
  createBrowser,
  createService,
  pass,
  readStorage,
  startConversation,
} from '../../testing/start-conversation.ts';

const meta = { at: '2026-11-20T16:00:00.000Z', id: 'evt_1' };
const turn = (sequence: number) => ({ turnId: `turn_${sequence}`, sequence });
const received = (sequence: number, message: string) => [
  { type: 'turn.started', data: turn(sequence), meta },
  {
    type: 'message.received',
    data: { ...turn(sequence), message, parts: [{ type: 'text', text: message }] },
    meta,
  },
];
const said = (sequence: number, ...words: string[]) => [
  { type: 'step.started', data: { ...turn(sequence), stepIndex: 0 }, meta },
  ...words.map((messageDelta) => ({
    type: 'message.appended',
    data: { ...turn(sequence), stepIndex: 0, messageDelta },
    meta,
  })),
];

/** A page whose service answers a start with the stream. */
async function startStreaming() {
  const browser = createBrowser();
  const service = createService();
  service.streams = true;
  return { service, browser, ...(await startConversation(service, browser)) };
}

type Conversation = Awaited<ReturnType<typeof startConversation>>['conversation'];

/** What the visitor sees of the conversation. */
const shown = ({ transcript }: Conversation) =>
  transcript.value.turns.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : part.kind)));

test('the first message and its answer take one request', async () => {
  const { service, conversation, browser } = await startStreaming();
  conversation.send('Hello');
  await pass();
  service.write(...received(0, 'Hello'), ...said(0, 'Hi', ' there'));
  await pass();
  expect(shown(conversation)).toEqual([['Hi there']]);
  expect(conversation.outbox.value).toEqual([]);
  expect(conversation.connectionStatus.value).toBe('live');
  expect(conversation.transcript.value.nextIndex).toBe(5);
  expect(readStorage(browser).read()).toEqual({
    sessionId: 's1',
    continuationToken: 't1',
    first: conversation.session.value!.first,
  });
  expect(service.followed).toEqual([]);
  conversation.send('More');
  await pass();
  expect(service.posted.map(({ path }) => path)).toEqual(['/parley/v1/session', '/parley/v1/session/s1']);
  expect(service.open()).toBe(1);
});

test('a stream that breaks off is gone on with by the ordinary one, nothing twice', async () => {
  const { service, conversation } = await startStreaming();
  conversation.send('Hello');
  await pass();
  service.write(...received(0, 'Hello'), ...said(0, 'Hi'));
  await pass();
  service.cut();
  service.write({ type: 'message.appended', data: { ...turn(0), stepIndex: 0, messageDelta: '!' }, meta });
  await pass(300);
  expect(service.followed).toEqual([4]);
  expect(shown(conversation)).toEqual([['Hi!']]);
});

test('a start that another conversation was chosen over leaves no stream open', async () => {
  const { service, conversation } = await startStreaming();
  const answered = Promise.withResolvers<Response>();
  service.respond = () => answered.promise;
  conversation.send('Hello');
  await pass();
  conversation.startNew();
  answered.resolve(Response.json({ ok: true }));
  await pass();
  expect(service.posted).toHaveLength(1);
  expect(service.open()).toBe(0);
  expect(conversation.session.value).toBeNull();
  expect(conversation.outbox.value).toEqual([]);
});

test('a conversation that is left takes its stream along', async () => {
  const { service, conversation } = await startStreaming();
  conversation.send('Hello');
  await pass();
  expect(service.open()).toBe(1);
  conversation.startNew();
  await pass();
  expect(service.open()).toBe(0);
});
