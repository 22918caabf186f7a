import {
  Client,
  ClientError,
  type ClientSession,
  defaultMessageReducer,
  EveAgentStore,
  isInputRequest,
  type MessageStreamEvent,
} from 'eve/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../server.ts';
import { type Installation, installations } from './installations.ts';
import { openCuttingProxy } from './cutting-proxy.ts';
import { addTool, openToolEndpoint, type ToolEndpoint } from './tool-endpoint.ts';

const script = [
  { when: 'my name is (\\w+)', steps: [{ say: 'Nice to meet you, {{1}}.' }] },
  { when: 'what is my name', steps: [{ say: 'You are {{recall:my name is (\\w+)}}.' }] },
  {
    when: 'look up (\\w+)',
    steps: [{ say: 'Looking.' }, { call: 'look_up', input: { word: '{{1}}' } }, { say: 'Found {{result}}.' }],
  },
  {
    when: 'delete (\\w+)',
    steps: [{ call: 'delete_file', input: { name: '{{1}}' } }, { say: 'It says {{result}}' }],
  },
  {
    when: 'colou?r',
    steps: [
      {
        ask: {
          prompt: 'Which colour?',
          options: [
            { id: 'red', label: 'Red' },
            { id: 'blue', label: 'Blue' },
          ],
          allowFreeform: true,
        },
      },
      { say: 'You chose {{result}}.' },
    ],
  },
  { when: 'think', steps: [{ reason: 'Considering.' }, { say: 'Done.' }] },
  { when: 'long', steps: [{ say: 'word ', repeat: 2000, delayMs: 10 }] },
  { when: 'fail', steps: [{ say: 'Half an ans' }, { fail: 'boom' }] },
  { steps: [{ say: '{{input}}' }] },
];

describe.each(installations)('%s', (_name, open) => {
  let endpoint: ToolEndpoint;
  let server: Installation;
  let agent: TestAgent;

  beforeAll(async () => {
    endpoint = await openToolEndpoint();
    server = await open({ PLATFORM: 'eve', ...endpoint.environment });
    agent = await createAgent(server, script, { reasoning: { show: true } });
    const lookUp = { method: 'GET', url: `${endpoint.url}/words/{{word}}` };
    const deleteFile = { method: 'DELETE', url: `${endpoint.url}/files/{{name}}` };
    await addTool(server, agent.agentId, 'look_up', lookUp, { visibility: 'full' });
    await addTool(server, agent.agentId, 'delete_file', deleteFile, {
      visibility: 'full',
      approval: 'always',
    });
  });

  afterAll(async () => {
    await server?.stop();
    endpoint?.close();
  });

  const client = (host = server.url) => new Client({ host, auth: { bearer: agent.publishableKey } });

  async function collect(events: AsyncIterable<MessageStreamEvent>): Promise<MessageStreamEvent[]> {
    const collected: MessageStreamEvent[] = [];
    for await (const event of events) collected.push(event);
    return collected;
  }

  const say = async (session: ClientSession, message: string) => (await session.send(message)).result();

  /** All that the session's log holds now. */
  const logOf = async ({ state }: ClientSession) => (await client().session(state).snapshot()).events;

  /**
   * The types that the client knows, in order, neighbours of one type counted once: how a text is cut into deltas
   * promises nothing.
   */
  const typesOf = (events: readonly MessageStreamEvent[]) =>
    events
      .map(({ type }) => type as string)
      .filter((type) => type !== 'action.appended' && type !== 'input.answered')
      .filter((type, position, types) => type !== types[position - 1]);

  function onlyRequest({ inputRequests }: { inputRequests: readonly unknown[] }) {
    expect(inputRequests).toHaveLength(1);
    const [request] = inputRequests;
    if (!isInputRequest(request)) throw new Error('The client does not take this for a request.');
    return request;
  }

  test('health', async () => {
    expect(await client().health()).toMatchObject({ ok: true, status: 'ready' });
  });

  test('a session starts, streams a turn and goes on with a follow-up', async () => {
    const session = client().session();
    const events = await collect(await session.send('My name is Ida'));
    expect(typesOf(events)).toEqual([
      'session.started',
      'turn.started',
      'message.received',
      'step.started',
      'message.appended',
      'message.completed',
      'step.completed',
      'turn.completed',
      'session.waiting',
    ]);
    const [started] = events;
    expect(started?.type === 'session.started' && started.data.runtime).toMatchObject({
      agentId: agent.agentId,
      eveVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    const { sessionId, continuationToken } = session.state;
    expect(continuationToken).toMatch(/^eve:/);
    expect(session.state.streamIndex).toBe(events.length);

    const second = await say(session, 'What is my name?');
    expect(second).toMatchObject({ status: 'waiting', message: 'You are Ida.', sessionId });
    expect(session.state).toEqual({
      sessionId,
      continuationToken,
      streamIndex: events.length + second.events.length,
    });
  });

  test('cumulative texts and deltas agree', async () => {
    const { events } = await say(client().session(), 'one two three four');
    let text = '';
    for (const event of events) {
      if (event.type !== 'message.appended') continue;
      text += event.data.messageDelta;
      expect(event.data.messageSoFar).toBe(text);
    }
    expect(text).toBe('one two three four');
  });

  test('reasoning', async () => {
    const { events } = await say(client().session(), 'think');
    expect(events.find((event) => event.type === 'reasoning.completed')?.data.reasoning).toBe('Considering.');
  });

  test('a tool runs inside its step', async () => {
    const { events, message } = await say(client().session(), 'look up owl');
    expect(message).toBe('Found {"done":"/words/owl"}.');
    expect(typesOf(events).slice(3, -2)).toEqual([
      'step.started',
      'message.appended',
      'message.completed',
      'actions.requested',
      'action.result',
      'step.completed',
      'step.started',
      'message.appended',
      'message.completed',
      'step.completed',
    ]);
    const result = events.find((event) => event.type === 'action.result')?.data;
    expect(result).toMatchObject({
      status: 'completed',
      result: { kind: 'tool-result', toolName: 'look_up' },
    });
    expect(result).not.toHaveProperty('error');
  });

  test('approve: the tool runs once, in a turn without a user message', async () => {
    const session = client().session();
    const request = onlyRequest(await say(session, 'delete approved'));
    expect(request).toMatchObject({ kind: 'tool-approval', action: { input: { name: 'approved' } } });
    expect(endpoint.calls).not.toContain('/files/approved');

    const response = await session.send({
      inputResponses: [{ requestId: request.requestId, optionId: 'approve' }],
    });
    const { events, message } = await response.result();
    expect(message).toBe('It says {"done":"/files/approved"}');
    expect(typesOf(events)).not.toContain('message.received');
    expect(events.find((event) => event.type === 'action.result')?.data).toMatchObject({
      status: 'completed',
      result: { callId: request.action.callId },
    });
    expect(endpoint.calls.filter((path) => path === '/files/approved')).toHaveLength(1);
  });

  test('deny: the rejection stands in the turn that asked, and nothing runs', async () => {
    const session = client().session();
    const asked = await say(session, 'delete denied');
    const request = onlyRequest(asked);
    const response = await session.send({
      inputResponses: [{ requestId: request.requestId, optionId: 'deny' }],
    });
    const { events, status } = await response.result();
    expect(status).toBe('waiting');
    const rejection = events.find((event) => event.type === 'action.result');
    expect(rejection?.data).toMatchObject({
      status: 'rejected',
      sequence: 0,
      error: { code: 'TOOL_EXECUTION_DENIED', message: 'Tool execution was denied.' },
      result: { isError: true, callId: request.action.callId },
    });
    const types = typesOf(events);
    expect(types.indexOf('action.result')).toBeLessThan(types.indexOf('turn.started'));
    expect(endpoint.calls).not.toContain('/files/denied');
  });

  test('an approval given as text', async () => {
    const session = client().session();
    onlyRequest(await say(session, 'delete worded'));
    const { message, events } = await say(session, ' yes ');
    expect(message).toBe('It says {"done":"/files/worded"}');
    expect(typesOf(events)).toContain('message.received');
  });

  test('a question answered by an option', async () => {
    const session = client().session();
    const request = onlyRequest(await say(session, 'Which color do I like?'));
    expect(request).toMatchObject({
      kind: 'question',
      prompt: 'Which colour?',
      display: 'select',
      allowFreeform: true,
      requestId: request.action.callId,
    });
    const response = await session.send({
      inputResponses: [{ requestId: request.requestId, optionId: 'blue' }],
    });
    expect((await response.result()).message).toBe('You chose blue.');
  });

  test('a question answered in own words, as an answer and as a message', async () => {
    const session = client().session();
    const request = onlyRequest(await say(session, 'color'));
    const response = await session.send({
      inputResponses: [{ requestId: request.requestId, text: 'mauve' }],
    });
    expect((await response.result()).message).toBe('You chose mauve.');
    onlyRequest(await say(session, 'color again'));
    expect((await say(session, 'teal')).message).toBe('You chose teal.');
  });

  test('cancel ends the turn; the session goes on', async () => {
    const session = client().session();
    const events: MessageStreamEvent[] = [];
    for await (const event of await session.send('long')) {
      events.push(event);
      if (event.type !== 'message.appended' || events.length > 10) continue;
      expect(await session.cancel()).toMatchObject({ status: 'accepted' });
    }
    expect(typesOf(events).slice(-3)).toEqual(['message.appended', 'turn.cancelled', 'session.waiting']);
    expect((await say(session, 'Still there?')).message).toBe('Still there?');
  });

  test('a failing model fails the turn; the session goes on', async () => {
    const session = client().session();
    const { events, status } = await say(session, 'fail');
    expect(status).toBe('waiting');
    expect(typesOf(events).slice(-3)).toEqual(['step.failed', 'turn.failed', 'session.waiting']);
    expect((await say(session, 'Again')).message).toBe('Again');
  });

  test('any index can be gone on from, live or up to the end of the log', async () => {
    const session = client().session();
    await say(session, 'look up owl');
    await say(session, 'thanks');
    const log = await logOf(session);
    for (let startIndex = 0; startIndex <= log.length; startIndex += 1) {
      const reader = client().session({ ...session.state, streamIndex: startIndex });
      expect(await collect(reader.stream({ follow: false }))).toEqual(log.slice(startIndex));
    }
    const controller = new AbortController();
    const live: MessageStreamEvent[] = [];
    const following = (async () => {
      const stream = client().session(session.state).stream({ startIndex: 3, signal: controller.signal });
      for await (const event of stream) {
        live.push(event);
        if (event.type === 'session.waiting' && live.length > log.length - 3) return;
      }
    })();
    await say(session, 'one more');
    await following;
    controller.abort();
    expect(live).toEqual((await logOf(session)).slice(3));
  });

  test('a negative index is counted from the end', async () => {
    const session = client().session();
    await say(session, 'hello');
    const log = await logOf(session);
    const controller = new AbortController();
    const last: MessageStreamEvent[] = [];
    const stream = client().session(session.state).stream({ startIndex: -2, signal: controller.signal });
    for await (const event of stream) {
      last.push(event);
      if (last.length === 2) break;
    }
    expect(last).toEqual(log.slice(-2));
  });

  test('a snapshot holds the log, and its session can be written to', async () => {
    const session = client().session();
    const { events } = await say(session, 'My name is Ida');
    const snapshot = await client()
      .session({ sessionId: session.state.sessionId!, streamIndex: 0 })
      .snapshot();
    expect(snapshot.events).toEqual(events);
    expect(snapshot.session).toEqual(session.state);
    expect((await say(client().session(snapshot.session), 'What is my name?')).message).toBe('You are Ida.');
  });

  test('clear, compact, reset', async () => {
    const session = client().session();
    await say(session, 'My name is Ida');
    expect(await session.clear()).toMatchObject({ status: 'accepted' });
    const { events, message } = await say(session, 'What is my name?');
    expect(typesOf(events).slice(0, 2)).toEqual(['context.cleared', 'session.waiting']);
    expect(message).toBeUndefined();
    expect((await say(session, 'What is my name?')).events.at(-1)?.type).toBe('session.waiting');

    expect(await session.compact()).toMatchObject({ status: 'accepted' });
    const { sessionId, continuationToken } = session.state;
    expect(await session.reset()).toEqual({ previousSessionId: sessionId, status: 'reset' });
    const late = client().session({
      sessionId: sessionId!,
      continuationToken: continuationToken!,
      streamIndex: 0,
    });
    await expect(late.send('Hello?')).rejects.toSatisfy(
      (error) => error instanceof ClientError && error.status === 404,
    );
    expect(await late.reset()).toEqual({ status: 'no_active_session' });
  });

  test('a task ends its session with its turn, and takes no follow-up', async () => {
    // The client knows how a session ends that is a task; it cannot open one.
    const created = await fetch(`${server.url}/eve/v1/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.secretKey}` },
      body: JSON.stringify({ message: 'Which colour?', mode: 'task' }),
    });
    const { sessionId, continuationToken } = (await created.json()) as Record<string, string>;
    const state = { sessionId: sessionId!, continuationToken: continuationToken!, streamIndex: 0 };
    const events: MessageStreamEvent[] = [];
    for await (const event of client().session(state).stream()) {
      events.push(event);
      // It would ask five times more whether anything follows.
      if (event.type === 'session.completed') break;
    }
    expect(typesOf(events).slice(-2)).toEqual(['turn.completed', 'session.completed']);
    expect(typesOf(events)).not.toContain('input.requested');
    await expect(client().session(state).send('Red')).rejects.toMatchObject({ status: 404 });
  });

  test('a wrong key is refused', async () => {
    const stranger = new Client({ host: server.url, auth: { bearer: 'pk_live_wrong' } });
    await expect(stranger.session().send('Hello')).rejects.toMatchObject({ status: 401 });
  });

  test('the store projects messages, live and from the log alike', async () => {
    const session = client().session();
    const store = new EveAgentStore({ reducer: defaultMessageReducer(), session });
    await store.send({ message: 'look up owl' });
    await store.send({ message: 'delete stored' });
    const [request] = store.snapshot.events.flatMap((event) =>
      event.type === 'input.requested' ? event.data.requests : [],
    );
    await store.send({ inputResponses: [{ requestId: request!.requestId, optionId: 'approve' }] });
    expect(store.snapshot).toMatchObject({ status: 'ready', error: undefined });
    const { messages } = store.snapshot.data;
    expect(messages.map(({ id, role }) => [id, role])).toEqual([
      ['turn_0:user', 'user'],
      ['turn_0:assistant', 'assistant'],
      ['turn_1:user', 'user'],
      ['turn_1:assistant', 'assistant'],
      ['turn_2:assistant', 'assistant'],
    ]);
    const parts = messages.flatMap((message) => message.parts);
    expect(parts.filter((part) => part.type === 'dynamic-tool')).toMatchObject([
      { toolName: 'look_up', state: 'output-available' },
      { toolName: 'delete_file', state: 'output-available' },
    ]);
    expect(parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).toEqual([
      'look up owl',
      'Looking.',
      'Found {"done":"/words/owl"}.',
      'delete stored',
      'It says {"done":"/files/stored"}',
    ]);

    const initialEvents = await logOf(session);
    const reloaded = new EveAgentStore({ reducer: defaultMessageReducer(), session, initialEvents });
    // Which button was pressed is in no event that this client knows.
    const known = (value: unknown) =>
      JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === 'inputResponse' ? undefined : each)));
    expect(known(reloaded.snapshot.data)).toEqual(known(store.snapshot.data));
  });

  test('a person who takes over is read as one who answers, while the agent is not asked', async () => {
    const session = client().session();
    const { sessionId } = await say(session, 'hello');
    const at = `/conversations/${sessionId}`;
    await server.settings('POST', `${at}/take-over`);
    expect(await say(session, 'Are you human?')).toMatchObject({ status: 'waiting' });
    await server.settings('POST', `${at}/messages`, { text: 'Yes.' });
    await server.settings('POST', `${at}/hand-back`, { summary: 'They asked whether you are human.' });
    const initialEvents = await logOf(session);
    const { messages } = new EveAgentStore({ reducer: defaultMessageReducer(), session, initialEvents })
      .snapshot.data;
    const parts = messages.flatMap((message) => message.parts);
    expect(parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).toEqual([
      'hello',
      'hello',
      'Are you human?',
      'Yes.',
    ]);
    await collect(session.stream({ follow: false }));
    expect(await say(session, 'my name is Ida')).toMatchObject({ message: 'Nice to meet you, Ida.' });
  });

  test('connections cut in the middle: each event exactly once', async () => {
    // Enough for the head of the answer and part of an event, so that every connection brings the reader on.
    let seed = 7;
    const proxy = await openCuttingProxy(server.url, () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return 900 + (seed % 600);
    });
    try {
      const session = client(proxy.url).session();
      const seen: MessageStreamEvent[] = [];
      for (const message of ['look up owl', 'My name is Ida', 'one two three four five six seven']) {
        seen.push(...(await say(session, message)).events);
      }
      expect(proxy.cuts()).toBeGreaterThan(5);
      expect(seen).toEqual(await logOf(session));
      expect(new Set(seen.map((event) => event.meta?.id)).size).toBe(seen.length);
    } finally {
      proxy.close();
    }
  });
});
