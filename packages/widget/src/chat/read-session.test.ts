import { expect, test } from 'vitest';
import { createService, pass, startChat, stubBrowser } from '../../testing/start-chat.ts';

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
  stubBrowser();
  const service = createService();
  service.streams = true;
  return { service, ...(await startChat(service)) };
}

type Chat = Awaited<ReturnType<typeof startChat>>['chat'];

/** What the visitor sees of the conversation. */
const shown = ({ state }: Chat) =>
  state.transcript.turns.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : part.kind)));

test('the first message and its answer take one request', async () => {
  const { service, chat, saved } = await startStreaming();
  chat.send('Hello');
  await pass();
  service.write(...received(0, 'Hello'), ...said(0, 'Hi', ' there'));
  await pass();
  expect(shown(chat)).toEqual([['Hi there']]);
  expect(chat.state).toMatchObject({ outbox: [], link: 'live', transcript: { nextIndex: 5 } });
  expect(saved.read()).toEqual({
    sessionId: 's1',
    continuationToken: 't1',
    first: chat.state.session!.first,
  });
  expect(service.followed).toEqual([]);
  chat.send('More');
  await pass();
  expect(service.posted.map(({ path }) => path)).toEqual(['/parley/v1/session', '/parley/v1/session/s1']);
  expect(service.open()).toBe(1);
});

test('a stream that breaks off is gone on with by the ordinary one, nothing twice', async () => {
  const { service, chat } = await startStreaming();
  chat.send('Hello');
  await pass();
  service.write(...received(0, 'Hello'), ...said(0, 'Hi'));
  await pass();
  service.cut();
  service.write({ type: 'message.appended', data: { ...turn(0), stepIndex: 0, messageDelta: '!' }, meta });
  await pass(300);
  expect(service.followed).toEqual([4]);
  expect(shown(chat)).toEqual([['Hi!']]);
});

test('a start that another conversation was chosen over leaves no stream open', async () => {
  const { service, chat } = await startStreaming();
  const answered = Promise.withResolvers<Response>();
  service.respond = () => answered.promise;
  chat.send('Hello');
  await pass();
  chat.startNew();
  answered.resolve(Response.json({ ok: true }));
  await pass();
  expect(service.posted).toHaveLength(1);
  expect(service.open()).toBe(0);
  expect(chat.state).toMatchObject({ session: null, outbox: [] });
});

test('a conversation that is left takes its stream along', async () => {
  const { service, chat } = await startStreaming();
  chat.send('Hello');
  await pass();
  expect(service.open()).toBe(1);
  chat.startNew();
  await pass();
  expect(service.open()).toBe(0);
});
