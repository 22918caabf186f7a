import { Chat } from '@ai-sdk/react';
import { uiMessageChunkSchema as strictChunkSchema } from '@parley/protocol/ui-message-chunk';
import {
  type ChatTransport,
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  TextStreamChatTransport,
  type UIMessage,
  uiMessageChunkSchema,
} from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../server.ts';
import { type Installation, installations } from './installations.ts';
import { addTool, openToolEndpoint, type ToolEndpoint } from './tool-endpoint.ts';

const script = [
  { when: 'my name is (\\w+)', steps: [{ say: 'Nice to meet you, {{1}}.' }] },
  { when: 'what is my name', steps: [{ say: 'You are {{recall:my name is (\\w+)}}.' }] },
  {
    when: 'look up (\\w+)',
    steps: [
      { say: 'Looking 🦉.\n' },
      { call: 'look_up', input: { word: '{{1}}' } },
      { say: 'Found {{result}}.' },
    ],
  },
  { when: 'broken', steps: [{ call: 'broken', input: {} }, { say: 'It failed.' }] },
  { when: 'delete (\\w+)', steps: [{ call: 'delete_file', input: { name: '{{1}}' } }, { say: 'Gone.' }] },
  { when: 'think', steps: [{ reason: 'Considering.' }, { say: 'Done.' }] },
  { when: 'long', steps: [{ say: 'word ', repeat: 2000, delayMs: 10 }] },
  { when: 'fail first', steps: [{ fail: 'boom' }] },
  { when: 'fail midway', steps: [{ say: 'Half an ans' }, { fail: 'boom' }] },
  { when: 'cut', steps: [{ say: 'This is too lo' }, { finish: 'length' }] },
  { steps: [{ say: '{{input}}' }] },
];

describe.each(installations)('%s', (_name, open) => {
  let endpoint: ToolEndpoint;
  let server: Installation;
  let agent: TestAgent;
  let api: string;

  beforeAll(async () => {
    endpoint = await openToolEndpoint();
    server = await open(endpoint.environment);
    agent = await createAgent(server, script, { approvalsOnChat: true, reasoning: { show: true } });
    api = `${server.url}/api/v1/agent/chat`;
    const lookUp = { method: 'GET', url: `${endpoint.url}/words/{{word}}` };
    const deleteFile = { method: 'DELETE', url: `${endpoint.url}/files/{{name}}` };
    await addTool(server, agent.agentId, 'look_up', lookUp);
    await addTool(server, agent.agentId, 'broken', { method: 'GET', url: `${endpoint.url}/broken` });
    await addTool(server, agent.agentId, 'delete_file', deleteFile, { approval: 'always' });
  });

  afterAll(async () => {
    await server?.stop();
    endpoint?.close();
  });

  const headers = (more: Record<string, string> = {}) => ({
    authorization: `Bearer ${agent.secretKey}`,
    ...more,
  });

  const transports: Record<string, () => ChatTransport<UIMessage>> = {
    'DefaultChatTransport, which sends the whole list': () =>
      new DefaultChatTransport({ api, headers: headers() }),
    'DefaultChatTransport that prepares a body with the last message': () =>
      new DefaultChatTransport({
        api,
        headers: headers(),
        prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
          body: { id, message: messages.at(-1), trigger, messageId },
        }),
      }),
    TextStreamChatTransport: () =>
      new TextStreamChatTransport({ api, headers: headers({ accept: 'text/plain' }) }),
  };

  let conversations = 0;
  const newId = () => `conversation ${(conversations += 1)}`;

  const openChat = (transport: ChatTransport<UIMessage>, id = newId()) =>
    new Chat<UIMessage>({ id, transport });
  const defaultChat = (id?: string) => openChat(new DefaultChatTransport({ api, headers: headers() }), id);

  const textOf = (message: UIMessage | undefined) =>
    message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  function toolOf(message: UIMessage | undefined) {
    const part = message?.parts.find(isToolUIPart);
    return part && { ...part, toolName: getToolName(part) };
  }

  const post = (id: string, text: string, accept: string) =>
    fetch(api, {
      method: 'POST',
      headers: headers({ 'content-type': 'application/json', accept }),
      body: JSON.stringify({ id, text }),
    });

  /**
   * The data of an event stream, each chunk read by the schema that stock clients read it by, and by one that refuses
   * fields it does not know, as the first releases of them did.
   */
  async function strictChunks(response: Response) {
    const schema = uiMessageChunkSchema();
    const lines = (await response.text()).split('\n\n').filter((event) => event !== '');
    expect(lines.at(-1)).toBe('data: [DONE]');
    return Promise.all(
      lines.slice(0, -1).map(async (line) => {
        expect(line).toMatch(/^data: [^\n]*$/);
        const chunk = strictChunkSchema.parse(JSON.parse(line.slice('data: '.length)));
        const result = await schema.validate?.(chunk);
        if (!result?.success) throw new Error(`A stock client refuses ${line}`);
        return result.value;
      }),
    );
  }

  for (const [name, transport] of Object.entries(transports)) {
    test(`${name}: a conversation of two turns`, async () => {
      const chat = openChat(transport());
      await chat.sendMessage({ text: 'My name is Ida' });
      expect(chat.error).toBeUndefined();
      expect(chat.status).toBe('ready');
      expect(textOf(chat.lastMessage)).toBe('Nice to meet you, Ida.');
      await chat.sendMessage({ text: 'What is my name?' });
      expect(textOf(chat.lastMessage)).toBe('You are Ida.');
      expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    });
  }

  test.for(['look up owl', 'Grüezi 👋\r\n  zäme', 'think', 'cut', 'broken'])(
    'the deltas of "%s" are the JSON text are the plain text',
    async (text) => {
      const json = await post(newId(), text, 'application/json');
      const reply = (await json.json()) as { id: string; text: string };
      const plain = await post(newId(), text, 'text/plain');
      const events = await post(newId(), text, 'text/event-stream');
      expect(events.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
      const deltas = (await strictChunks(events)).flatMap((chunk) =>
        chunk.type === 'text-delta' ? [chunk.delta] : [],
      );
      expect(reply.text).not.toBe('');
      expect(await plain.text()).toBe(reply.text);
      expect(deltas.join('')).toBe(reply.text);
    },
  );

  test('the chunks of a plain reply stand in the order of the contract', async () => {
    const chunks = await strictChunks(await post(newId(), 'hello', 'text/event-stream'));
    expect(chunks.map(({ type }) => type)).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ]);
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  test('a tool and the text around it', async () => {
    const chat = defaultChat();
    await chat.sendMessage({ text: 'look up owl' });
    expect(chat.error).toBeUndefined();
    expect(textOf(chat.lastMessage)).toMatch(/^Looking 🦉\.\nFound .+\.$/);
    expect(toolOf(chat.lastMessage)).toMatchObject({ toolName: 'look_up', state: 'output-available' });
  });

  test('a tool that fails does not fail the turn', async () => {
    const chat = defaultChat();
    await chat.sendMessage({ text: 'broken' });
    expect(chat.status).toBe('ready');
    expect(toolOf(chat.lastMessage)).toMatchObject({ state: 'output-error' });
    expect(textOf(chat.lastMessage)).toBe('It failed.');
  });

  test('reasoning', async () => {
    const chat = defaultChat();
    await chat.sendMessage({ text: 'think' });
    expect(chat.lastMessage?.parts).toContainEqual(
      expect.objectContaining({ type: 'reasoning', text: 'Considering.', state: 'done' }),
    );
  });

  test('a refused key is an error the page can read', async () => {
    const chat = openChat(
      new DefaultChatTransport({ api, headers: { authorization: 'Bearer sk_live_wrong' } }),
    );
    await chat.sendMessage({ text: 'hello' });
    expect(chat.status).toBe('error');
    expect(chat.error).toMatchObject({ statusCode: 401 });
    expect(JSON.parse(String(chat.error?.message))).toMatchObject({ ok: false, code: 'UNAUTHORIZED' });
  });

  test('a model that fails before it says anything', async () => {
    const chat = defaultChat();
    await chat.sendMessage({ text: 'fail first' });
    expect(chat.status).toBe('error');
    expect(chat.error?.message).not.toContain('boom');
  });

  test('a model that fails midway leaves what it said, and the same conversation goes on', async () => {
    const chat = defaultChat();
    await chat.sendMessage({ text: 'fail midway' });
    expect(chat.status).toBe('error');
    expect(chat.error?.message).not.toContain('boom');
    expect(textOf(chat.lastMessage)).toBe('Half an ans');
    chat.clearError();
    await chat.sendMessage({ text: 'hello' });
    expect(textOf(chat.lastMessage)).toBe('hello');
  });

  test('a plain text that fails midway is cut, not ended', async () => {
    const chat = openChat(new TextStreamChatTransport({ api, headers: headers({ accept: 'text/plain' }) }));
    await chat.sendMessage({ text: 'fail midway' });
    expect(chat.status).toBe('error');
  });

  test('regenerate answers the same message again', async () => {
    const chat = defaultChat();
    await chat.sendMessage({ text: 'My name is Ida' });
    await chat.sendMessage({ text: 'What is my name?' });
    const before = chat.messages.map(({ role }) => role);
    await chat.regenerate();
    expect(chat.error).toBeUndefined();
    expect(chat.messages.map(({ role }) => role)).toEqual(before);
    expect(textOf(chat.lastMessage)).toBe('You are Ida.');
  });

  test('an edited message withdraws what followed it', async () => {
    const chat = defaultChat();
    await chat.sendMessage({ text: 'My name is Ida' });
    const [first] = chat.messages;
    await chat.sendMessage({ text: 'My name is Eva', messageId: first!.id });
    await chat.sendMessage({ text: 'What is my name?' });
    expect(textOf(chat.lastMessage)).toBe('You are Eva.');
    expect(chat.messages).toHaveLength(4);
  });

  test('stop, and the next message is answered at once', async () => {
    const chat = defaultChat();
    const started = Promise.withResolvers<void>();
    const leave = chat['~registerMessagesCallback'](() => {
      if (textOf(chat.lastMessage)?.startsWith('word word')) started.resolve();
    });
    const sending = chat.sendMessage({ text: 'long' });
    await started.promise;
    leave();
    const stopped = performance.now();
    await chat.stop();
    await sending;
    expect(chat.status).toBe('ready');
    await chat.sendMessage({ text: 'hello' });
    expect(textOf(chat.lastMessage)).toBe('hello');
    // A turn without a reader is kept running for 10 s, for a reader that comes back.
    expect(performance.now() - stopped).toBeLessThan(10_000);
  });

  test('a page that comes back resumes the running turn from its start', async () => {
    const id = newId();
    const chat = defaultChat(id);
    const started = Promise.withResolvers<void>();
    chat['~registerMessagesCallback'](() => {
      if (textOf(chat.lastMessage)?.startsWith('word word')) started.resolve();
    });
    const sending = chat.sendMessage({ text: 'long' });
    await started.promise;

    const resumed = defaultChat(id);
    const came = Promise.withResolvers<void>();
    resumed['~registerMessagesCallback'](() => {
      if (textOf(resumed.lastMessage)?.startsWith('word word')) came.resolve();
    });
    const resuming = resumed.resumeStream();
    await came.promise;
    expect(resumed.lastMessage?.id).toBe(chat.lastMessage?.id);
    await Promise.all([resumed.stop(), chat.stop(), sending, resuming]);
    // With that the turn is over, and nobody waits for it any more when the service stops.
    await chat.sendMessage({ text: 'hello' });
    expect(textOf(chat.lastMessage)).toBe('hello');
  });

  test('there is nothing to resume when no turn runs', async () => {
    const chat = defaultChat();
    await chat.sendMessage({ text: 'hello' });
    await chat.resumeStream();
    expect(chat.status).toBe('ready');
    expect(chat.messages).toHaveLength(2);
  });

  test.for([
    [true, 'output-available', 1],
    [false, 'output-denied', 0],
  ] as const)('an approval answered with %s', async ([approved, state, calls]) => {
    const chat = new Chat<UIMessage>({
      id: newId(),
      transport: new DefaultChatTransport({ api, headers: headers() }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    const settled = Promise.withResolvers<void>();
    await chat.sendMessage({ text: `delete file${approved}` });
    const asked = toolOf(chat.lastMessage);
    if (asked?.state !== 'approval-requested') throw new Error(`The tool is ${asked?.state}.`);
    expect(asked.input).toEqual({ name: `file${approved}` });
    expect(endpoint.calls).not.toContain(`/files/file${approved}`);

    chat['~registerStatusCallback'](() => {
      if (chat.status === 'ready' || chat.status === 'error') settled.resolve();
    });
    await chat.addToolApprovalResponse({ id: asked.approval.id, approved });
    await settled.promise;
    expect(chat.error).toBeUndefined();
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(toolOf(chat.lastMessage)?.state).toBe(state);
    expect(textOf(chat.lastMessage)).toBe('Gone.');
    expect(endpoint.calls.filter((path) => path === `/files/file${approved}`)).toHaveLength(calls);
  });
});
