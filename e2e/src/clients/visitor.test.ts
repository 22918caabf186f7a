import { createHmac } from 'node:crypto';
import type { Connection } from '@parley/client/connection';
import { deleteSession } from '@parley/client/delete-session';
import { downloadTranscript } from '@parley/client/download-transcript';
import { listSessions } from '@parley/client/list-sessions';
import { rateTurn } from '@parley/client/rate-turn';
import { createSessions } from '@parley/client/session';
import { type Transcript, emptyTranscript, reduceTranscript } from '@parley/conversation/transcript';
import { withVisitorToken } from '@parley/client/visitor-token';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgent, type RunningServer, startServer, type TestAgent } from '../server.ts';

const secret = 'a secret that only the tenant and the service know';
const script = [
  {
    when: 'go there',
    steps: [{ call: 'go_to', input: { page: '/pricing' } }, { say: 'You see {{result}}.' }],
  },
  { steps: [{ say: 'Heard {{input}}.' }] },
];

let server: RunningServer;
let agent: TestAgent;
let anonymous: Connection;
beforeAll(async () => {
  server = await startServer();
  agent = await createAgent(server, script, { identity: { secret } });
  anonymous = { baseUrl: server.url, key: agent.publishableKey };
});
afterAll(() => server.stop());

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token as any backend makes one, without our help. */
function sign(sub: string, expiresIn = 600): string {
  const exp = Math.floor(Date.now() / 1000) + expiresIn;
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub, aud: agent.agentId, exp })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const visitor = (sub: string) => withVisitorToken(anonymous, () => sign(sub));

/** The transcript once the session has waited this many times. */
async function read(connection: Connection, sessionId: string, times: number): Promise<Transcript> {
  let transcript = emptyTranscript;
  let waited = 0;
  for await (const each of createSessions(connection).follow(sessionId)) {
    transcript = reduceTranscript(transcript, each);
    if (each.event.type === 'session.waiting') waited += 1;
    if (waited === times) break;
  }
  return transcript;
}

test('what began anonymously is the visitor’s on every device once they said who they are', async () => {
  const session = await createSessions(anonymous).start('Hello');
  await read(anonymous, session.sessionId, 1);
  await createSessions(visitor('ada')).send(session, 'It is me');
  const page = await listSessions(visitor('ada'));
  expect(page).toMatchObject({ items: [{ id: session.sessionId, firstMessage: 'Hello' }], next: null });
  const [{ id: sessionId, continuationToken }] = page.items as [(typeof page.items)[0]];
  await createSessions(visitor('ada')).send({ sessionId, continuationToken }, 'From my phone');
  const { turns } = await read(visitor('ada'), sessionId, 3);
  expect(turns.map(({ user }) => user?.text)).toEqual(['Hello', 'It is me', 'From my phone']);
  await expect(read(anonymous, sessionId, 1)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  expect((await listSessions(visitor('eve'))).items).toEqual([]);
});

test('an expired token is replaced on the way, for streams too', async () => {
  let asked = 0;
  const renewing = withVisitorToken(anonymous, () => sign('grace', asked++ % 2 === 0 ? -600 : 600));
  const session = await createSessions(renewing).start('Hello');
  expect((await read(renewing, session.sessionId, 1)).turns).toHaveLength(1);
  expect(asked).toBe(2);
});

test('a follower whose token expires comes back with a fresh one and misses nothing', async () => {
  let asked = 0;
  const renewing = withVisitorToken(anonymous, () => sign('joan', asked++ === 0 ? 5 : 600));
  const session = await createSessions(renewing).start('Hello');
  const connections: boolean[] = [];
  const heard: string[] = [];
  for await (const { event } of createSessions(renewing).follow(session.sessionId, {
    onConnection(connected) {
      connections.push(connected);
      // Back again: what is sent now arrives over the second connection.
      if (connected && connections.length > 1) void createSessions(renewing).send(session, 'Still there');
    },
  })) {
    if (event.type === 'message.completed') heard.push(String(event.data.message));
    if (heard.length === 2) break;
  }
  expect(heard).toEqual(['Heard Hello.', 'Heard Still there.']);
  expect(connections).toEqual([true, false, true]);
  expect(asked).toBe(2);
});

test('a visitor rates, takes along and deletes a conversation', async () => {
  const mine = visitor('lin');
  const session = await createSessions(mine).start('Hello');
  await read(mine, session.sessionId, 1);
  await rateTurn(mine, session.sessionId, { turnId: 'turn_0', rating: 'down', comment: 'No.' });
  const list = () => server.settings<{ items: unknown[] }>('GET', `/feedback?agentId=${agent.agentId}`);
  expect((await list()).items).toMatchObject([{ rating: 'down', comment: 'No.' }]);
  await rateTurn(mine, session.sessionId, { turnId: 'turn_0', rating: null });
  expect((await list()).items).toEqual([]);

  const { name, content } = await downloadTranscript(mine, session.sessionId);
  expect(name).toMatch(/^conversation-.*\.txt$/);
  expect(await content.text()).toContain('Heard Hello.');
  const json = await downloadTranscript(mine, session.sessionId, { format: 'json' });
  expect(JSON.parse(await json.content.text())).toMatchObject({ agentName: 'Ada' });

  await deleteSession(mine, session);
  await deleteSession(mine, session);
  await expect(read(mine, session.sessionId, 1)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
});

test('a follower sees a deleted session end', async () => {
  const session = await createSessions(anonymous).start('Hello');
  await read(anonymous, session.sessionId, 1);
  const types: string[] = [];
  const following = (async () => {
    for await (const { event } of createSessions(anonymous).follow(session.sessionId)) {
      types.push(event.type);
      if (event.type === 'session.waiting') void deleteSession(anonymous, session);
    }
  })();
  await following;
  expect(types.at(-1)).toBe('session.completed');
});

test('the agent calls a function of the page, which answers after a reload', async () => {
  const sessions = createSessions(anonymous);
  const clientTools = [
    { name: 'go_to', description: 'Shows a page', parameters: { type: 'object' as const } },
  ];
  const session = await sessions.start({ message: 'go there', clientTools });
  const before = await read(anonymous, session.sessionId, 1);
  const waiting = before.turns.flatMap(({ parts }) => parts).filter((part) => part.kind === 'tool');
  expect(waiting).toMatchObject([{ state: 'delegated', toolName: 'go_to', input: { page: '/pricing' } }]);
  const actionResults = waiting.map(({ callId }) => ({ callId, output: 'the prices' }));
  await sessions.respond(session, { actionResults });
  const { turns } = await read(anonymous, session.sessionId, 2);
  expect(turns[0]?.parts).toMatchObject([{ kind: 'tool', state: 'completed', output: 'the prices' }]);
  expect(turns[1]?.parts).toMatchObject([{ kind: 'text', text: 'You see the prices.' }]);
});
