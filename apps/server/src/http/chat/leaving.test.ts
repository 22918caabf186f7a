import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { request } from '../../testing/test-service.ts';
import { chatTiming } from './chat-timing.ts';
import {
  type ChatAgent,
  chatPath,
  chatService,
  chunksOf,
  eventStream,
  ofType,
  plainText,
  textOf,
  userTexts,
} from '../../testing/chat-service.ts';

const service = await chatService();
const impatient = await chatService({ graceMs: 20 });
const turnMs = 2_000;
const hurried = await chatService({ turnMs });

const script = [
  { when: '^hold (\\w+)', steps: [{ say: 'Wait. ' }, { call: '{{1}}' }, { say: 'Got {{result}}.' }] },
  { when: '^hold', steps: [{ say: 'Wait. ' }, { call: 'hold' }, { say: 'Got {{result}}.' }] },
  { when: '^silent', steps: [{ call: 'hold' }, { say: 'Got {{result}}.' }] },
  { steps: [{ say: 'Re: {{input}}' }] },
];

async function holding(at = service) {
  const path = `hold-${(agents += 1)}`;
  const tool = { name: 'hold', request: { method: 'POST', url: `${at.endpoint.url}/${path}` } };
  const agent = await at.agent(script, { tools: [tool] });
  return { agent, call: () => at.endpoint.call(`/${path}`) };
}
let agents = 0;

/** A post that is given up once it has begun to work on it, as a page that is closed does. */
function leaving(agent: ChatAgent, body: unknown, init = {}) {
  const abort = new AbortController();
  const gone = agent.post(body, { ...init, signal: abort.signal }).then(
    (response) => response.text().catch(() => 'cut'),
    () => 'refused',
  );
  return {
    async leave() {
      abort.abort();
      await gone;
    },
  };
}

/** A reader who has come back once this resolves, and what they read. */
async function resuming({ secret }: ChatAgent, { url } = service) {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  const response = await fetch(`${url}${chatPath}/c/stream`, {
    headers: { authorization: `Bearer ${secret.key}` },
  });
  return { response, body: response.text() };
}

/** Turns reach their limit when the test says so, and not before they have got to what it looks at. */
function heldLimit() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return () => vi.advanceTimersByTimeAsync(turnMs);
}

test('JSON: a client that goes away aborts its turn, the tool call with it', async () => {
  const { agent, call } = await holding();
  const reader = leaving(agent, { id: 'c', text: 'hold' });
  const held = await call();
  await reader.leave();
  await held.closed;
  expect((await agent.ask('c', 'next')).body.text).toBe('Re: next');
  expect(userTexts(agent.prompts().at(-1))).toEqual(['next']);
});

test('JSON: a client that goes away while its message waits takes the message with it', async () => {
  const { agent, call } = await holding();
  const first = agent.ask('c', 'hold');
  const held = await call();
  const second = leaving(agent, { id: 'c', text: 'second' });
  await agent.ask('probe', 'probe');
  await second.leave();
  await agent.ask('probe', 'probe');
  held.answer('it');
  expect((await first).body.text).toBe('Wait. Got it.');
  expect((await agent.ask('c', 'third')).body.text).toBe('Re: third');
  expect(userTexts(agent.prompts().at(-1))).toEqual(['hold', 'third']);
});

test.each([
  ['event stream', eventStream],
  ['plain text', plainText],
])('%s: the turn runs on without its reader, and Resume shows it from its start', async (_, mode) => {
  const { agent, call } = await holding();
  const reader = leaving(agent, { id: 'c', text: 'hold' }, mode);
  const held = await call();
  await reader.leave();
  const { response, body } = await resuming(agent);
  held.answer('it');
  expect(response.status).toBe(200);
  expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
  expect(textOf(chunksOf(await body))).toBe('Wait. Got it.');
  expect((await agent.resume('c')).status).toBe(204);
  await agent.ask('c', 'next');
  expect(userTexts(agent.prompts().at(-1))).toEqual(['hold', 'next']);
});

test.each([
  ['event stream', eventStream],
  ['plain text', plainText],
])('%s: a turn whose reader does not come back is cancelled after the grace', async (_, mode) => {
  const { agent, call } = await holding(impatient);
  const reader = leaving(agent, { id: 'c', text: 'hold' }, mode);
  const held = await call();
  await reader.leave();
  await held.closed;
  await agent.ask('c', 'next');
  expect(userTexts(agent.prompts().at(-1))).toEqual(['next']);
});

test('a message whose reader left for good while it waited never runs', async () => {
  const { agent, call } = await holding(impatient);
  const first = agent.ask('c', 'hold');
  const held = await call();
  const second = leaving(agent, { id: 'c', text: 'second' }, eventStream);
  await agent.ask('probe', 'probe');
  await second.leave();
  // Longer than the grace: a whole turn that waits for a tool passes.
  const other = impatient.agent([{ steps: [{ call: 'late' }, { say: 'ok' }] }], {
    tools: [{ name: 'late', timeoutMs: 1_000 }],
  });
  await (await other).ask('c', 'go');
  held.answer('it');
  expect((await first).body.text).toBe('Wait. Got it.');
  expect((await agent.ask('c', 'third')).body.text).toBe('Re: third');
  expect(userTexts(agent.prompts().at(-1))).toEqual(['hold', 'third']);
});

test('a new message of the conversation aborts an orphaned turn at once, and starts afresh', async () => {
  const { agent, call } = await holding();
  const reader = leaving(agent, { id: 'c', text: 'hold' }, eventStream);
  const held = await call();
  await reader.leave();
  const next = agent.ask('c', 'next');
  await held.closed;
  expect((await next).body.text).toBe('Re: next');
  expect(userTexts(agent.prompts().at(-1))).toEqual(['next']);
});

test('a new message does not abort a turn that somebody reads', async () => {
  const { agent, call } = await holding();
  const first = agent.ask('c', 'hold', eventStream);
  const held = await call();
  const next = agent.ask('c', 'next');
  await agent.ask('probe', 'probe');
  held.answer('it');
  expect(textOf(chunksOf((await first).body))).toBe('Wait. Got it.');
  expect((await next).body.text).toBe('Re: next');
});

test('Resume: one of two readers may leave', async () => {
  const { agent, call } = await holding(impatient);
  const reader = leaving(agent, { id: 'c', text: 'hold' }, eventStream);
  const held = await call();
  const { body } = await resuming(agent, impatient);
  await reader.leave();
  await agent.ask('probe', 'probe');
  held.answer('it');
  expect(textOf(chunksOf(await body))).toBe('Wait. Got it.');
});

test('Resume: nothing to resume is 204, whatever the reason', async () => {
  const { agent } = await holding();
  const other = await holding();
  await other.agent.ask('theirs', 'hi');
  await agent.ask('mine', 'hi');
  for (const id of ['mine', 'theirs', 'never', 'x'.repeat(300), 'a/b?c', '\u{1F642}']) {
    const answer = await agent.resume(id);
    expect(answer.status).toBe(204);
    expect(answer.body).toBe('');
  }
});

test('Resume: whether a turn runs can be asked with HEAD, without reading it', async () => {
  const { agent, call } = await holding();
  const running = agent.ask('c', 'hold');
  const held = await call();
  const head = (id: string) =>
    request(`${service.url}${chatPath}/${id}/stream`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${agent.secret.key}` },
    });
  expect((await head('c')).status).toBe(200);
  expect((await head('none')).status).toBe(204);
  held.answer('it');
  expect((await running).status).toBe(200);
});

test('Resume: a running turn is for keys of its agent only', async () => {
  const { agent, call } = await holding();
  const stranger = (await holding()).agent;
  const running = agent.ask('c', 'hold', eventStream);
  const held = await call();
  expect((await stranger.resume('c')).status).toBe(204);
  expect((await agent.resume('c', { key: 'sk_live_unknown' })).status).toBe(401);
  held.answer('it');
  await running;
});

test('a turn takes no longer than its limit: a status before the first byte', async () => {
  const reachLimit = heldLimit();
  const { agent, call } = await holding(hurried);
  for (const mode of [{}, plainText]) {
    const answer = agent.ask('c', 'silent', mode);
    const held = await call();
    await reachLimit();
    await held.closed;
    expect((await answer).status).toBe(504);
    expect((await answer).body).toMatchObject({ ok: false, code: 'TURN_TIMEOUT' });
    // Nothing of it goes on.
    expect((await agent.resume('c')).status).toBe(204);
  }
});

test('a turn takes no longer than its limit: after the first byte the stream says so, the text is cut', async () => {
  const reachLimit = heldLimit();
  const { agent, call } = await holding(hurried);
  const answer = agent.ask('c', 'hold', eventStream);
  const held = await call();
  await reachLimit();
  await held.closed;
  const chunks = chunksOf((await answer).body);
  expect(textOf(chunks)).toBe('Wait. ');
  expect(chunks.at(-1)).toEqual({ type: 'error', errorText: expect.stringMatching(/too long/) });
  const cut = await agent.post({ id: 'c', text: 'hold' }, plainText);
  await call();
  await reachLimit();
  await expect(cut.text()).rejects.toThrow();
  expect((await agent.ask('c', 'next')).body.text).toBe('Re: next');
  expect(userTexts(agent.prompts().at(-1))).toEqual(['next']);
});

test('clients that hang up before they are heard out leave no turn behind', async () => {
  const { agent } = await holding();
  const { port } = new URL(service.url);
  const ids = Array.from({ length: 20 }, (_, index) => `c${index}`);
  await Promise.all(
    ids.map(async (id, index) => {
      const body = JSON.stringify({ id, text: 'hold' });
      const accept = index % 2 === 0 ? 'application/json' : 'text/event-stream';
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(
        `POST ${chatPath} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${agent.secret.key}\r\naccept: ${accept}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        () => socket.destroy(),
      );
      await once(socket, 'close');
    }),
  );
  const answers = await Promise.all(ids.map((id) => agent.ask(id, 'next')));
  expect(answers.map(({ body }) => body.text)).toEqual(ids.map(() => 'Re: next'));
  const last = agent.prompts().filter((prompt) => userTexts(prompt).at(-1) === 'next');
  expect(last.map(userTexts)).toEqual(ids.map(() => ['next']));
});

test('a turn may take 300 s and runs on for 10 s without a reader', () => {
  expect(chatTiming).toEqual({ turnMs: 300_000, graceMs: 10_000 });
});

test.each(['agent', 'tenant'] as const)(
  'the %s is deleted in the middle of a turn: every mode ends, none of them as if it were whole',
  async (deleted) => {
    const { agent, call } = await holding();
    const stream = agent.ask('a', 'hold', eventStream);
    const json = agent.ask('b', 'hold');
    const text = agent.post({ id: 'd', text: 'hold' }, plainText);
    await Promise.all([call(), call(), call()]);
    const cut = (await text).text().catch(() => 'cut');
    const path = deleted === 'agent' ? `/agents/${agent.agentId}` : `/tenants/${agent.tenantId}`;
    expect((await service.settings('DELETE', path)).status).toBe(204);
    expect(ofType(chunksOf((await stream).body), 'error')).toHaveLength(1);
    // With the tenant its keys and its agent go: whichever the reply hears of first ends it.
    expect(deleted === 'agent' ? [503] : [401, 503]).toContain((await json).status);
    expect(await cut).toBe('cut');
  },
);
