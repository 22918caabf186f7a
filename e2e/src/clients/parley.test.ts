import type { IndexedEvent } from '@parley/client/follow';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChat } from '@parley/client/chat';
import type { OpenStream } from '@parley/client/open-stream';
import { createSessions, type Sessions } from '@parley/client/session';
import { type Transcript, emptyTranscript, reduceTranscript } from '@parley/conversation/transcript';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { createAgent, type RunningServer, startServer, type TestAgent } from '../server.ts';
import { openCuttingProxy } from './cutting-proxy.ts';
import { addTool, openToolEndpoint, type ToolEndpoint } from './tool-endpoint.ts';

const script = [
  { when: 'look up (\\w+)', steps: [{ call: 'look_up', input: { word: '{{1}}' } }, { say: 'Found {{1}}.' }] },
  { when: 'delete (\\w+)', steps: [{ call: 'delete_file', input: { name: '{{1}}' } }, { say: 'Gone.' }] },
  { when: 'colou?r', steps: [{ ask: { prompt: 'Which colour?' } }, { say: 'You chose {{result}}.' }] },
  { when: 'count', steps: [{ say: 'number ', repeat: 60, delayMs: 20 }] },
  { when: 'long', steps: [{ say: 'word ', repeat: 2000, delayMs: 10 }] },
  { steps: [{ say: '{{input}}' }] },
];

let endpoint: ToolEndpoint;
let server: RunningServer;
let agent: TestAgent;

async function prepare(running: RunningServer): Promise<TestAgent> {
  const made = await createAgent(running, script);
  const lookUp = { method: 'GET', url: `${endpoint.url}/words/{{word}}` };
  const deleteFile = { method: 'DELETE', url: `${endpoint.url}/files/{{name}}` };
  await addTool(running, made.agentId, 'look_up', lookUp);
  await addTool(running, made.agentId, 'delete_file', deleteFile, { approval: 'always' });
  return made;
}

beforeAll(async () => {
  endpoint = await openToolEndpoint();
  server = await startServer({ environment: endpoint.environment });
  agent = await prepare(server);
});

afterAll(async () => {
  await server?.stop();
  endpoint?.close();
});

const sessionsAt = (baseUrl = server.url) => createSessions({ baseUrl, key: agent.publishableKey });

/** Follows until the condition holds of the transcript. */
async function followUntil(
  sessions: Sessions,
  sessionId: string,
  holds: (transcript: Transcript) => boolean,
  from = emptyTranscript,
  stream: OpenStream | null = null,
) {
  const seen: IndexedEvent[] = [];
  let transcript = from;
  for await (const indexed of sessions.follow(sessionId, { startIndex: from.nextIndex, stream })) {
    seen.push(indexed);
    transcript = reduceTranscript(transcript, indexed);
    if (holds(transcript)) break;
  }
  return { transcript, seen };
}

const turnsDone = (count: number) => (transcript: Transcript) =>
  transcript.turns.length === count && transcript.status !== 'working';

test('start, follow, send, respond, end', async () => {
  const sessions = sessionsAt();
  const session = await sessions.start('look up owl');
  let { transcript } = await followUntil(sessions, session.sessionId, turnsDone(1));
  expect(transcript.continuationToken).toBe(session.continuationToken);
  expect(transcript.turns[0]).toMatchObject({
    status: 'completed',
    user: { text: 'look up owl' },
    parts: [
      // What a visitor may see of a tool is its name and its state.
      { kind: 'tool', toolName: 'look_up', state: 'completed', input: {}, output: null },
      { kind: 'text', text: 'Found owl.', done: true },
    ],
  });

  await sessions.send(session, 'delete ours');
  ({ transcript } = await followUntil(sessions, session.sessionId, turnsDone(2), transcript));
  const [approval] = transcript.requests;
  expect(transcript.turns[1]?.parts).toMatchObject([{ state: 'awaiting-approval', input: { name: 'ours' } }]);
  await sessions.respond(session, {
    inputResponses: [{ requestId: approval!.requestId, optionId: 'approve' }],
  });
  ({ transcript } = await followUntil(sessions, session.sessionId, turnsDone(3), transcript));
  expect(transcript.requests).toEqual([]);
  expect(transcript.turns[1]?.parts).toMatchObject([
    { state: 'completed', approval: { answer: { optionId: 'approve', by: 'visitor' } } },
  ]);
  expect(endpoint.calls.filter((path) => path === '/files/ours')).toHaveLength(1);

  await sessions.send(session, 'color');
  ({ transcript } = await followUntil(sessions, session.sessionId, turnsDone(4), transcript));
  await sessions.respond(session, {
    inputResponses: [{ requestId: transcript.requests[0]!.requestId, text: 'teal' }],
  });
  ({ transcript } = await followUntil(sessions, session.sessionId, turnsDone(5), transcript));
  expect(transcript.turns[3]?.parts).toMatchObject([{ state: 'answered', answer: { text: 'teal' } }]);
  expect(transcript.turns[4]?.parts).toMatchObject([{ text: 'You chose teal.' }]);

  await sessions.end(session);
  const whole: IndexedEvent[] = [];
  for await (const indexed of sessions.follow(session.sessionId)) whole.push(indexed);
  expect(whole.map(({ index }) => index)).toEqual(Array.from(whole.keys()));
  const reloaded = whole.reduce(reduceTranscript, emptyTranscript);
  expect(reloaded).toMatchObject({ status: 'ended', turns: transcript.turns });
});

test('cancel, clear, compact, reset', async () => {
  const sessions = sessionsAt();
  const session = await sessions.start('long');
  const writing = (transcript: Transcript) => transcript.turns[0]?.parts[0]?.kind === 'text';
  let { transcript } = await followUntil(sessions, session.sessionId, writing);
  expect(await sessions.cancel(session.sessionId, { turnId: transcript.turns[0]!.id })).toBe('accepted');
  ({ transcript } = await followUntil(sessions, session.sessionId, turnsDone(1), transcript));
  expect(transcript.turns[0]).toMatchObject({ status: 'cancelled', parts: [{ done: true }] });

  expect(await sessions.clear(session)).toBe('accepted');
  await sessions.send(session, 'hello');
  expect(await sessions.compact(session)).toBe('accepted');
  ({ transcript } = await followUntil(
    sessions,
    session.sessionId,
    ({ marks }) => marks.at(-1)?.kind === 'compacted',
    transcript,
  ));
  expect(transcript.marks.map(({ kind }) => kind)).toEqual(['cleared', 'compacted']);
  expect(await sessions.reset(session)).toBe('reset');
  await expect(sessions.send(session, 'Hello?')).rejects.toMatchObject({ code: 'SESSION_NOT_RESUMABLE' });
  expect(await sessions.clear(session)).toBe('no_active_session');
});

test('a message sent twice under one key is one turn', async () => {
  const sessions = sessionsAt();
  const session = await sessions.start('one', { idempotencyKey: `start-${agent.agentId}` });
  expect(await sessions.start('one', { idempotencyKey: `start-${agent.agentId}` })).toEqual(session);
  await sessions.send(session, 'two', { idempotencyKey: 'second-of-this-test' });
  await sessions.send(session, 'two', { idempotencyKey: 'second-of-this-test' });
  await sessions.send(session, 'three');
  const { transcript } = await followUntil(sessions, session.sessionId, turnsDone(3));
  expect(transcript.turns.map(({ user }) => user?.text)).toEqual(['one', 'two', 'three']);
  await expect(
    sessions.send(session, 'four', { idempotencyKey: 'second-of-this-test' }),
  ).rejects.toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
    status: 409,
  });
});

test('refusals are typed', async () => {
  const sessions = sessionsAt();
  await expect(sessions.start('x'.repeat(20_001))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    status: 400,
  });
  await expect(sessions.follow('nobody').next()).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  const stranger = createSessions({ baseUrl: server.url, key: 'pk_live_wrong' });
  await expect(stranger.start('Hello')).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    requestId: expect.any(String),
  });
});

test('connections cut in the middle of answers: each event exactly once', async () => {
  let cut = 0;
  const proxy = await openCuttingProxy(server.url, () => 700 + ((cut += 1) % 9) * 120);
  onTestFinished(() => proxy.close());
  const sessions = sessionsAt(proxy.url);
  const session = await sessions.start('look up owl');
  await sessions.send(session, 'count');
  const { seen, transcript } = await followUntil(sessions, session.sessionId, turnsDone(2));
  expect(proxy.cuts()).toBeGreaterThan(5);
  const direct = await followUntil(sessionsAt(), session.sessionId, turnsDone(2));
  expect(seen).toEqual(direct.seen);
  expect(transcript).toEqual(direct.transcript);
});

test.each([
  ['answered by the service', Number.POSITIVE_INFINITY],
  ['cut on the way', 700],
])('turns read over the requests that send them, %s: each event exactly once', async (_, bytes) => {
  let cut = 0;
  const proxy = await openCuttingProxy(server.url, () => bytes + ((cut += 1) % 9) * 120);
  onTestFinished(() => proxy.close());
  const sessions = sessionsAt(proxy.url);
  const { session, stream } = await sessions.startStream('look up owl');
  const first = await followUntil(sessions, session.sessionId, turnsDone(1), emptyTranscript, stream);
  const { nextIndex: startIndex } = first.transcript;
  const counting = await sessions.sendStream(session, 'count', { startIndex });
  const second = await followUntil(sessions, session.sessionId, turnsDone(2), first.transcript, counting);
  expect(proxy.cuts() > 5).toBe(bytes === 700);
  expect([stream === null, counting === null]).toEqual([false, false]);
  const direct = await followUntil(sessionsAt(), session.sessionId, turnsDone(2));
  expect([...first.seen, ...second.seen]).toEqual(direct.seen);
  expect(second.transcript).toEqual(direct.transcript);
});

test('a server killed in the middle of an answer comes back, and its readers miss and double nothing', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
  const environment = { ...endpoint.environment, PORT: String(await freePort()) };
  let running = await startServer({ directory, environment });
  onTestFinished(async () => {
    await running.stop();
    await rm(directory, { recursive: true });
  });
  const { publishableKey } = await prepare(running);
  const sessions = createSessions({ baseUrl: running.url, key: publishableKey });
  const session = await sessions.start('count');
  const seen: IndexedEvent[] = [];
  let transcript = emptyTranscript;
  let killed = false;
  for await (const indexed of sessions.follow(session.sessionId)) {
    seen.push(indexed);
    transcript = reduceTranscript(transcript, indexed);
    if (!killed && seen.length > 15) {
      killed = true;
      await running.kill();
      running = await startServer({ directory, environment });
    }
    if (turnsDone(1)(transcript)) break;
  }
  expect(seen.map(({ index }) => index)).toEqual(Array.from(seen.keys()));
  const direct = await followUntil(sessions, session.sessionId, turnsDone(1));
  expect(seen).toEqual(direct.seen);
  expect(transcript.turns[0]?.status).toBe('completed');
});

test('chat in its three modes, and again under the same key', async () => {
  const chat = createChat({ baseUrl: server.url, key: agent.secretKey });
  const message = (id: string) => ({ id, text: 'look up owl' });
  expect(await chat.reply(message('json'))).toEqual({
    id: 'json',
    text: 'Found owl.',
    usage: { inputTokens: expect.any(Number), outputTokens: 2 },
  });
  let text = '';
  for await (const piece of chat.text(message('text'))) text += piece;
  expect(text).toBe('Found owl.');
  let deltas = '';
  for await (const chunk of chat.events(message('events')))
    if (chunk.type === 'text-delta') deltas += chunk.delta;
  expect(deltas).toBe('Found owl.');

  const before = endpoint.calls.length;
  for (const _ of [1, 2]) {
    expect((await chat.reply(message('again'), { idempotencyKey: 'again-in-this-test' })).text).toBe(
      'Found owl.',
    );
  }
  expect(endpoint.calls).toHaveLength(before + 1);
});

test('a chat reader that lost its stream joins the turn again, under its key or by resuming', async () => {
  const chat = createChat({ baseUrl: server.url, key: agent.secretKey });
  const message = { id: 'rejoined', text: 'count' };
  const read = async (chunks: ReturnType<typeof chat.events>, enough = Infinity) => {
    let text = '';
    let messageId: string | undefined;
    for await (const chunk of chunks) {
      if (chunk.type === 'start') messageId = chunk.messageId;
      if (chunk.type === 'text-delta') text += chunk.delta;
      if (text.length > enough) break;
    }
    return { messageId, text };
  };
  const lost = await read(chat.events(message, { idempotencyKey: 'joined-in-this-test' }), 30);
  const resumed = await read(chat.resume(message.id), 60);
  const whole = await read(chat.events(message, { idempotencyKey: 'joined-in-this-test' }));
  expect(whole.text).toBe('number '.repeat(60));
  expect(new Set([lost.messageId, resumed.messageId, whole.messageId]).size).toBe(1);
  expect(await read(chat.resume(message.id))).toEqual({ messageId: undefined, text: '' });
});
