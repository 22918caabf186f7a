import { afterAll, expect, test } from 'vitest';
import { createEgress } from '../../egress/egress.ts';
import { SignInError } from '../../sign-in/sign-in-error.ts';
import { openMcpEndpoint, result } from './testing/mcp-endpoint.ts';
import { createRedactor } from '../redact.ts';
import { listedTool } from './tool-definition.ts';
import { VisitorConnections } from './visitor-connections.ts';

const endpoint = await openMcpEndpoint();
const egress = createEgress({ allow: [endpoint.host] });
afterAll(async () => {
  endpoint.close();
  await egress.close();
});

test('a call goes on however many others come meanwhile and are not let in', async () => {
  const remote = { name: 'wait', inputSchema: { type: 'object' } };
  const answers: (() => void)[] = [];
  const url = endpoint.rawServer(({ id, method }, response) => {
    if (method === 'tools/list') result(response, id, { tools: [remote] });
    else if (method === 'tools/call')
      answers.push(() => result(response, id, { content: [{ type: 'text', text: 'done' }] }));
    else return undefined;
    return true;
  });
  const { name, fingerprint, definition } = listedTool(remote, createRedactor({}, []));
  const tool = { name, fingerprint, definition, approval: 'never' as const };
  const connections = new VisitorConnections(
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
      signIns: {
        token: ({ visitor }) =>
          visitor === 'ada'
            ? Promise.resolve('token')
            : Promise.reject(new SignInError('signed-out', 'Nobody has signed in to it yet.')),
        link: () => '',
        settled: () => Promise.resolve('declined'),
      },
      report: () => Promise.resolve(),
    },
  );
  const callAs = (visitor: string) =>
    connections.call(tool, {}, { visitor, sessionId: 'session_1', signal: AbortSignal.timeout(30_000) });
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
