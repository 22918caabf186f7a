import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createEgress } from '../../egress/egress.ts';
import { SignInError } from '../../sign-in/sign-in-error.ts';
import { openMcpEndpoint, result } from './testing/mcp-endpoint.ts';
import { createRedactor } from '../redact.ts';
import { listedTool } from './tool-definition.ts';
import type { McpConnectionDeps } from './mcp-connection.ts';
import { VisitorConnections } from './visitor-connections.ts';

const endpoint = await openMcpEndpoint();
const egress = createEgress({ allow: [endpoint.host] });
afterAll(async () => {
  endpoint.close();
  await egress.close();
});

const connectionsTo = (url: string, token: McpConnectionDeps['signIns']['token']) =>
  new VisitorConnections(
    {
      id: 'connection_1',
      agentId: 'agent_1',
      createdAt: '2026-01-01T00:00:00.000Z',
      kind: 'mcp',
      name: 'slow',
      url,
      signIn: 'visitor',
      callsPerMinute: 1_000,
      tools: [],
    },
    { tenantId: 'tenant_1', agentId: 'agent_1' },
    {
      fetch: egress.fetch,
      count: () => Promise.resolve(null),
      bearer: () => () => Promise.resolve(null),
      signIns: { token, link: () => '', settled: () => Promise.resolve('declined') },
      report: () => Promise.resolve(),
    },
  );
const remote = { name: 'wait', inputSchema: { type: 'object' } };
const { name, fingerprint, definition } = listedTool(remote, createRedactor({}, []));
const tool = { name, fingerprint, definition, approval: 'never' as const };
const callOf = (visitor: string) => ({
  visitor,
  sessionId: 'session_1',
  signal: AbortSignal.timeout(30_000),
});

test('a call goes on however many others come meanwhile and are not let in', async () => {
  const answers: (() => void)[] = [];
  const url = endpoint.rawServer(({ id, method }, response) => {
    if (method === 'tools/list') result(response, id, { tools: [remote] });
    else if (method === 'tools/call')
      answers.push(() => result(response, id, { content: [{ type: 'text', text: 'done' }] }));
    else return undefined;
    return true;
  });
  const connections = connectionsTo(url, ({ visitor }) =>
    visitor === 'ada'
      ? Promise.resolve('token')
      : Promise.reject(new SignInError('signed-out', 'Nobody has signed in to it yet.')),
  );
  const callAs = (visitor: string) => connections.call(tool, {}, callOf(visitor));
  const waiting = callAs('ada');
  await expect.poll(() => answers).toHaveLength(1);
  const others = await Promise.all(Array.from({ length: 101 }, (_, index) => callAs(`visitor ${index}`)));
  expect(new Set(others.map((outcome) => (outcome.ok ? 'ok' : outcome.code)))).toEqual(
    new Set(['SIGN_IN_REQUIRED']),
  );
  answers[0]!();
  expect(await waiting).toMatchObject({ ok: true });
  await connections.close();
});

test('a call goes on where another one of the same session is refused without words', async () => {
  const slow: (() => void)[] = [];
  let refused = 0;
  const url = endpoint.rawServer((asked, response) => {
    const { id, method } = asked;
    const done = () => result(response, id, { content: [{ type: 'text', text: 'done' }] });
    if (method === 'initialize') {
      response.setHeader('mcp-session-id', 'one');
      return undefined;
    }
    if (method === 'tools/list') result(response, id, { tools: [remote] });
    else if (method !== 'tools/call') return undefined;
    else if (JSON.stringify(asked).includes('slow')) slow.push(done);
    else {
      refused += 1;
      response.writeHead(400).end();
    }
    return true;
  });
  const connections = connectionsTo(url, () => Promise.resolve('token'));
  const callWith = (input: Record<string, unknown>) => connections.call(tool, input, callOf('ada'));
  const waiting = callWith({ speed: 'slow' });
  await expect.poll(() => slow.length).toBe(1);
  expect(await callWith({})).toMatchObject({ ok: false, code: 'UNREACHABLE' });
  expect(refused).toBe(2);
  slow[0]?.();
  expect(await waiting).toMatchObject({ ok: true });
  await connections.close();
});

test('a call goes on where its server does not list its tools again', async () => {
  const slow: (() => void)[] = [];
  let sessions = 0;
  const url = endpoint.rawServer((asked, response, headers) => {
    const { id, method } = asked;
    const session = String(headers['mcp-session-id']);
    const done = () => result(response, id, { content: [{ type: 'text', text: session }] });
    if (method === 'initialize') {
      sessions += 1;
      response.setHeader('mcp-session-id', `session ${sessions}`);
      return undefined;
    }
    if (method === 'tools/list' && session === 'session 1' && slow.length > 0) response.writeHead(500).end();
    else if (method === 'tools/list') result(response, id, { tools: [remote] });
    else if (method !== 'tools/call') return undefined;
    else if (JSON.stringify(asked).includes('slow')) slow.push(done);
    else done();
    return true;
  });
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const connections = connectionsTo(url, () => Promise.resolve('token'));
  const callWith = (input: Record<string, unknown>) => connections.call(tool, input, callOf('ada'));
  const waiting = callWith({ speed: 'slow' });
  await expect.poll(() => slow.length).toBe(1);
  vi.advanceTimersByTime(10 * 60_000);
  expect(await callWith({})).toMatchObject({ output: { result: 'session 2' } });
  expect(endpoint.endedSessions(url)).toEqual([]);
  slow[0]?.();
  expect(await waiting).toMatchObject({ output: { result: 'session 1' } });
  expect(endpoint.endedSessions(url)).toEqual(['session 1']);
  await connections.close();
});

test.each([
  ['failed', 'UNREACHABLE', 'slow could not be used. auth.example did not answer in time.'],
  ['denied', 'REFUSED', 'slow could not be used. auth.example did not answer in time.'],
  ['signed-out', 'SIGN_IN_REQUIRED', 'The user has to sign in to slow first.'],
] as const)(
  'who has signed in is not asked to where a token cannot be renewed: %s',
  async (problem, code, message) => {
    const url = endpoint.server(({ method }) => (method === 'tools/list' ? { tools: [remote] } : undefined));
    const connections = connectionsTo(url, () =>
      Promise.reject(new SignInError(problem, 'auth.example did not answer in time.')),
    );
    expect(await connections.call(tool, {}, callOf('ada'))).toMatchObject({ ok: false, code, message });
    await connections.close();
  },
);
