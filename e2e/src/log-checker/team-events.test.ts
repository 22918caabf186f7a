import type { SessionEvent } from '@parley/protocol/event';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent, startServer } from '../server.ts';
import { checkTurns } from './turns.ts';

const refund = { call: 'refund', input: { order: 'A-17' } };
const script = [
  { when: 'refund', steps: [refund, { say: 'Refunded.' }] },
  { when: 'Norway', steps: [{ call: 'ask_team', input: { question: 'Norway?' } }, { say: '{{result}}' }] },
  { steps: [{ say: 'Heard {{input}}' }] },
];

test('whatever the team does while input is waited for keeps the shape of turns', async () => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  const { tenantId, agentId, publishableKey } = await createAgent(server, script, {
    approvalsBy: 'both',
    teamQuestionMinutes: 30,
  });
  await server.settings('POST', '/tools', {
    agentId,
    kind: 'http',
    name: 'refund',
    description: 'Refunds an order',
    approval: 'always',
    parameters: { type: 'object', properties: { order: { type: 'string' } } },
    request: { method: 'POST', url: 'https://shop.example/refund', body: { order: '{{order}}' } },
  });
  const { token } = await server.settings<{ token: string }>('POST', '/invitations', {
    role: 'agent',
    tenantId,
  });
  const accepted = await fetch(`${server.url}/api/v1/settings/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-parley-console': '1' },
    body: JSON.stringify({ token, name: 'Grace', password: 'correct horse battery' }),
  });
  const { id: memberId } = (await accepted.json()) as { id: string };

  const sessions = `${server.url}/parley/v1/session`;
  const headers = { authorization: `Bearer ${publishableKey}`, 'content-type': 'application/json' };
  const send = async (path: string, body: object) => {
    const answer = await fetch(sessions + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.ok).toBe(true);
    return (await answer.json()) as { sessionId: string; continuationToken: string };
  };
  const { sessionId: id, continuationToken } = await send('', { message: 'refund' });
  const at = `/conversations/${id}`;
  const events = async () =>
    (await server.settings<{ items: { event: SessionEvent }[] }>('GET', `${at}/events?limit=200`)).items.map(
      ({ event }) => event,
    );
  const types = async () => (await events()).map(({ type }) => type);
  const approval = async () => {
    const thread = await server.settings<{ approvals: { requestId: string }[] }>('GET', `${at}/thread`);
    return thread.approvals[0]?.requestId;
  };
  const act = (path: string, body: object = {}) => server.settings('POST', at + path, body);

  await expect.poll(approval).toBeDefined();
  const first = { requestId: await approval() };
  await act('/approvals/delegate', { ...first, memberId });
  await act('/approvals/amend', { ...first, input: { order: 'B-2' } });
  const second = { requestId: await approval() };
  await act('/approvals', { ...second, answer: 'approve' });
  await act('/take-over');
  await act('/hand-back', { summary: null });
  await send(`/${id}`, { message: 'Norway?', continuationToken });
  await expect.poll(types).toContain('team.asked');
  await act('/take-over');
  await act('/hand-back', { summary: 'We do.' });
  await send(`/${id}`, { message: 'Thanks', continuationToken });
  await expect.poll(async () => JSON.stringify(await events())).toContain('Heard Thanks');
  await expect.poll(async () => (await types()).at(-1)).toBe('session.waiting');

  for (const type of [
    'approval.delegated',
    'action.amended',
    'input.approved',
    'input.expired',
    'team.joined',
    'team.left',
    'team.asked',
    'team.answered',
  ])
    expect(await types()).toContain(type);
  expect(checkTurns([{ session: id, events: await events() }])).toEqual([]);
});
