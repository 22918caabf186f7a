import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEgress } from '../../egress/egress.ts';
import { request, testFolder, testService } from '../../testing/test-service.ts';
import { asked, dataOf, Visitor } from '../../testing/visitor.ts';
import { McpSession } from './mcp-session.ts';
import { startMemoryServer } from './testing/memory-server.ts';

async function memory(isModern: boolean) {
  const server = await startMemoryServer(join(testFolder(), 'memory.jsonl'), { isModern });
  onTestFinished(() => server.stop());
  return server;
}

const ada = { name: 'Ada', entityType: 'person', observations: ['likes tea'] };

test.each([
  ['2026-07-28', true, ['server/discover', 'tools/list', 'tools/call', 'tools/call']],
  [
    '2025-11-25',
    false,
    [
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
      'tools/call',
      'DELETE',
    ],
  ],
] as const)('a server of others is used by revision %s of the protocol', async (revision, isModern, sent) => {
  const { host, url } = await memory(isModern);
  const egress = createEgress({ allow: [host] });
  onTestFinished(() => egress.close());
  const requests: { readonly what: string; readonly version: string | null }[] = [];
  const noting: typeof egress.fetch = (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : '{}';
    const { method = null } = JSON.parse(body) as { readonly method?: string };
    const version = new Headers(init?.headers).get('mcp-protocol-version');
    requests.push({ what: method ?? String(init?.method), version });
    return egress.fetch(input, init);
  };
  const session = await McpSession.open({ url, bearer: () => Promise.resolve(null) }, noting, '1');
  const { server, tools, omitted } = await session.list();
  expect(server).toEqual({ name: 'memory-server', version: expect.stringMatching(/^\d/) });
  expect([tools.map(({ problem }) => problem), omitted]).toEqual([tools.map(() => null), null]);
  const options = { signal: new AbortController().signal, timeout: 30_000 };
  await session.call('create_entities', { entities: [ada] }, options);
  const { content } = (await session.call('read_graph', {}, options)) as { content: { text: string }[] };
  expect(content.map(({ text }) => JSON.parse(text))).toEqual([{ entities: [ada], relations: [] }]);
  await session.close();
  expect(requests.map(({ what }) => what)).toEqual(sent);
  expect(requests.at(-1)?.version).toBe(revision);
});

test('what it remembers after an approval in a conversation, an agent reads over Chat', async () => {
  const { host, url } = await memory(true);
  const service = await testService({ EGRESS_ALLOW: host });
  const created = async (path: string, body: object) => (await service.settings('POST', path, body)).body;
  const { id: tenantId } = await created('/tenants', { name: 'Shop' });
  const script = [
    {
      when: 'remember',
      steps: [{ call: 'memory__create_entities', input: { entities: [ada] } }, { say: 'Kept.' }],
    },
    { steps: [{ call: 'memory__read_graph', input: {} }, { say: '{{result}}' }] },
  ];
  const agent = { tenantId, name: 'Ada', model: { provider: 'scripted', script } };
  const { id: agentId } = await created('/agents', agent);
  const connection = await created('/connections', { agentId, kind: 'mcp', name: 'memory', url });
  const tools = (connection.tools as { readonly name: string; readonly fingerprint: string }[])
    .filter(({ name }) => name === 'create_entities' || name === 'read_graph')
    .map(({ name, fingerprint }) => ({
      name,
      fingerprint,
      approval: name === 'read_graph' ? 'never' : 'always',
    }));
  const chosen = await service.settings('PATCH', `/connections/${connection.id}`, { tools });
  expect([chosen.status, tools.length]).toEqual([200, 2]);

  const keyOf = async (kind: string) =>
    String((await created('/keys', { tenantId, agentId, kind, allowMissingOrigin: true })).key);
  const session = await new Visitor(service.url, await keyOf('publishable')).start('remember');
  const [approval] = asked(await session.log(1));
  expect(approval?.action.input).toEqual({ entities: [ada] });
  await session.send({ inputResponses: [{ requestId: approval?.requestId, optionId: 'approve' }] });
  expect(dataOf(await session.log(2), 'action.result')).toMatchObject([{ status: 'completed' }]);
  const read = await request(`${service.url}/api/v1/agent/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await keyOf('secret')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'c', text: 'What do you know?' }),
  });
  expect(read.body.text).toContain('likes tea');
});
