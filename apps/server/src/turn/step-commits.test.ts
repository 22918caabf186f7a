import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import type { Commit } from '../store/event-store.ts';
import { signedInMember } from '../testing/signed-in-member.ts';
import { request } from '../testing/test-service.ts';
import { testStore } from '../testing/test-store.ts';
import { asked, said, Visitor } from '../testing/visitor.ts';

const script = [
  { when: '^search', steps: [{ call: 'search_knowledge', input: { query: 'hours' } }, { say: 'No idea.' }] },
  { when: '^ask', steps: [{ say: 'Let me see.' }, { call: 'ask_team', input: { question: 'Open?' } }] },
  { when: '^refund', steps: [{ call: 'refund', input: { order: 'A-17' } }, { say: 'Refunded.' }] },
];
/** What says that a step is over, or asked for: read again after a crash it must not be there without the state of it. */
const ending = [
  'message.completed',
  'step.completed',
  'actions.requested',
  'action.amended',
  'turn.completed',
];

test('what ends a step is written with the state that knows it, also where something is looked up on the way', async () => {
  const stored = await testStore();
  const store = await stored.open();
  const commits: Commit[] = [];
  const service = await startService(
    readConfig({ ...stored.environment, PORT: '0' }),
    createLogger('warn', { write: () => {} }),
    {
      store: {
        ...store,
        commit(lease, commit) {
          commits.push(commit);
          return store.commit(lease, commit);
        },
      },
    },
  );
  onTestFinished(() => service.stop());
  const { url } = service;
  const settings = (method: string, path: string, body?: unknown) =>
    request(`${url}/api/v1/settings${path}`, {
      method,
      headers: { authorization: `Bearer ${service.adminToken.value}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const created = async (path: string, body: unknown) => {
    const answer = await settings('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Shop' });
  const model = { provider: 'scripted', script };
  const about = { tenantId, name: 'Bot', model, approvalsBy: 'two', teamQuestionMinutes: 2 };
  const { id: agentId } = await created('/agents', about);
  await created('/tools', {
    agentId,
    kind: 'http',
    name: 'refund',
    description: 'Refunds an order',
    approval: 'always',
    parameters: { type: 'object', properties: { order: { type: 'string' } } },
    request: { method: 'POST', url: 'https://shop.example/refund', body: { order: '{{order}}' } },
  });
  await created('/sources', { agentId, kind: 'text', name: 'Page', text: 'We sell boots.' });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'publishable' });
  const visitor = new Visitor(url, String(key));

  expect(said(await (await visitor.start('search')).log(1)).join(' ')).toContain('No idea.');
  await (await visitor.start('ask')).log(1);
  const session = await visitor.start('refund');
  const requestId = String(asked(await session.log(1))[0]?.requestId);
  const [grace, alan] = await Promise.all(
    ['Grace', 'Alan'].map((name) => signedInMember({ url, settings }, { role: 'agent', tenantId, name })),
  );
  const at = `/conversations/${session.id}`;
  const handed = await grace!.call({ url }, 'POST', `${at}/approvals/delegate`, {
    requestId,
    memberId: alan!.id,
  });
  expect(handed.status).toBe(200);
  const amendment = { requestId, input: { order: 'B-2' } };
  expect((await alan!.call({ url }, 'POST', `${at}/approvals/amend`, amendment)).status).toBe(200);

  const kept = commits.map(({ events, state }) => ({
    ends: events.map(({ event }) => event.type).filter((type) => ending.includes(type)),
    hasState: state !== undefined,
  }));
  const ends = kept.filter(({ ends: those }) => those.length > 0);
  expect(new Set(ends.flatMap(({ ends: those }) => those))).toEqual(new Set(ending));
  expect(ends.filter(({ hasState }) => !hasState)).toEqual([]);
});
