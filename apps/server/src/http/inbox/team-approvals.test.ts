import type { SessionEvent } from '@parley/protocol/event';
import type { LoggedEvent } from '@parley/protocol/settings/conversation';
import { expect, onTestFinished, test } from 'vitest';
import { signedInMember } from '../../testing/signed-in-member.ts';
import { type TestService, testService } from '../../testing/test-service.ts';
import { openToolEndpoint } from '../../testing/tool-endpoint.ts';
import { asked, dataOf, said, Visitor, VisitorSession } from '../../testing/visitor.ts';

const script = [
  { when: '^refund', steps: [{ call: 'refund', input: { order: 'A-17' } }, { say: 'It says {{result}}.' }] },
  { steps: [{ say: 'Heard {{input}}' }] },
];

/** A shop whose agent refunds once somebody approves. */
async function shop(approvalsBy: string) {
  const endpoint = await openToolEndpoint();
  onTestFinished(() => endpoint.close());
  const env = { EGRESS_ALLOW: endpoint.host };
  const service = await testService(env);
  const created = async (path: string, body: unknown) => {
    const answer = await service.settings('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Shop' });
  const model = { provider: 'scripted', script };
  const about = { tenantId, name: 'Ada', model, approvalsBy, approvalsOnChat: true };
  const { id: agentId } = await created('/agents', about);
  await created('/tools', {
    agentId,
    kind: 'http',
    name: 'refund',
    description: 'Refunds an order',
    approval: 'always',
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    request: { method: 'POST', url: `${endpoint.url}/refund`, body: { order: '{{order}}' } },
  });
  const key = async (kind: string) => String((await created('/keys', { tenantId, agentId, kind })).key);
  const keys = { publishable: await key('publishable'), secret: await key('secret') };
  const grace = await signedInMember(service, { role: 'agent', tenantId, name: 'Grace' });
  const refunds = () => endpoint.calls.filter(({ path }) => path === '/refund').length;
  const visitor = new Visitor(service.url, keys.publishable);
  return { service, env, endpoint, tenantId, agentId, keys, grace, refunds, visitor };
}

test('the team approves what the visitor cannot, with their tab closed and after a restart', async () => {
  const { service, env, endpoint, grace, refunds, visitor, keys } = await shop('team');
  const session = await visitor.start('refund');
  const log = await session.log(1);
  const [request] = asked(log);
  // Whoever reads this has nothing to choose.
  expect(request).toMatchObject({ kind: 'tool-approval', options: [] });
  await session.send({ inputResponses: [{ requestId: request?.requestId, optionId: 'approve' }] });
  await session.send({ message: 'yes' });
  expect(dataOf(await session.log(3), 'input.answered')).toEqual([]);
  expect(refunds()).toBe(0);
  const at = `/conversations/${session.id}`;
  const waiting = await grace.call(service, 'GET', '/inbox?view=waiting');
  expect(waiting.body.items).toMatchObject([{ id: session.id }]);

  // Chat has no team that reads it: what only the team approves is not offered there.
  const chat = await service.call('/api/v1/agent/chat', {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'c', text: 'refund' }),
  });
  expect(chat.body.text).toContain('I cannot use refund here.');

  const amend = (input: object) =>
    grace.call(service, 'POST', `${at}/approvals/amend`, { requestId: request?.requestId, input });
  expect((await amend({ order: 7 })).body.issues).toMatchObject([{ path: ['input'] }]);
  expect((await amend({ order: 'A-17' })).body.issues).toMatchObject([{ message: 'Nothing was changed.' }]);
  // Of two changes at once one is of what does not stand any more.
  const changes = await Promise.all([amend({ order: 'B-2' }), amend({ order: 'B-2' })]);
  expect(changes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);

  await service.stop();
  const again: TestService = await testService(env, { stored: service.stored });
  const { body: thread } = await grace.call(again, 'GET', `${at}/thread`);
  expect(thread.approvals).toEqual([
    {
      requestId: expect.stringMatching(/^apr_/),
      by: 'team',
      approved: [],
      needed: 1,
      toolName: 'refund',
      input: { order: 'B-2' },
      amendedBy: 'Grace',
      delegated: null,
      expiresAt: null,
    },
  ]);
  const viewer = await signedInMember(again, { role: 'viewer', tenantId: null });
  const stale = { requestId: request?.requestId, answer: 'approve' };
  expect((await grace.call(again, 'POST', `${at}/approvals`, stale)).status).toBe(409);
  const yes = { ...stale, requestId: thread.approvals[0].requestId };
  expect((await viewer.call(again, 'POST', `${at}/approvals`, yes)).status).toBe(403);
  const answers = await Promise.all([1, 2].map(() => grace.call(again, 'POST', `${at}/approvals`, yes)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const back = new VisitorSession(new Visitor(again.url, keys.publishable), session.id, session.token);
  const whole = await back.log(5);
  expect(dataOf(whole, 'input.answered')).toMatchObject([{ optionId: 'approve', by: 'team' }]);
  // Who of them it was is the team's to know.
  expect(JSON.stringify(whole)).not.toContain('Grace');
  const told = await grace.call(again, 'GET', `${at}/events?limit=100`);
  const events = told.body.items.map(({ event }: LoggedEvent) => event) as SessionEvent[];
  const eventsOf = (type: string) => events.filter((event) => event.type === type);
  expect(eventsOf('input.answered')).toMatchObject([{ data: { member: { id: grace.id, name: 'Grace' } } }]);
  const changed = { requestId: request?.requestId, before: { order: 'A-17' }, after: { order: 'B-2' } };
  expect(dataOf(whole, 'action.amended')).toMatchObject([{ ...changed, before: {}, after: {} }]);
  expect(eventsOf('action.amended')).toMatchObject([
    { data: { ...changed, member: { id: grace.id, name: 'Grace' } } },
  ]);
  // The model is told that it was not called as it wanted.
  expect(said(whole).join(' ')).toContain(
    'It says A person of the team changed the arguments before it was approved. It was called with {"order":"B-2"}.',
  );
  expect(refunds()).toBe(1);
  expect(endpoint.calls.find(({ path }) => path === '/refund')?.body).toBe('{"order":"B-2"}');
  expect((await grace.call(again, 'GET', `${at}/thread`)).body).toMatchObject({
    approvals: [],
    waitingSince: null,
  });
  const audit = await again.settings('GET', '/audit');
  const approvals = audit.body.items.filter(({ kind }: { kind: string }) => kind === 'approval');
  const entry = { actor: { id: grace.id, name: 'Grace' }, subject: { id: session.id, name: 'refund' } };
  expect(approvals).toMatchObject([
    { ...entry, after: { answer: 'approve', requestId: yes.requestId } },
    { ...entry, after: { amended: request?.requestId, requestId: yes.requestId } },
  ]);
});

test('where either may answer, the first counts; a denied call is not made, and one of the visitor’s own is not the team’s', async () => {
  const { service, agentId, grace, refunds, visitor } = await shop('either');
  const session = await visitor.start('refund');
  const [request] = asked(await session.log(1));
  const no = { requestId: request?.requestId, answer: 'deny' };
  const at = `/conversations/${session.id}/approvals`;
  expect((await grace.call(service, 'POST', at, no)).status).toBe(200);
  const log = await session.log(2);
  expect(dataOf(log, 'action.result').at(-1)).toMatchObject({ status: 'rejected' });

  await session.send({ message: 'refund' });
  const next = asked(await session.log(3)).at(-1);
  await session.send({ inputResponses: [{ requestId: next?.requestId, optionId: 'approve' }] });
  expect(dataOf(await session.log(4), 'input.answered').at(-1)).toMatchObject({ by: 'visitor' });
  expect(refunds()).toBe(1);

  await service.settings('PATCH', `/agents/${agentId}`, { approvalsBy: 'visitor' });
  await session.send({ message: 'refund' });
  const own = asked(await session.log(5)).at(-1);
  const mine = { requestId: own?.requestId, answer: 'approve' };
  expect((await grace.call(service, 'POST', at, mine)).status).toBe(409);
  expect(refunds()).toBe(1);
});

test('where two of the team have to approve, nobody counts twice, and a change takes back what was given', async () => {
  const { service, tenantId, grace, refunds, visitor } = await shop('two');
  const alan = await signedInMember(service, { role: 'agent', tenantId, name: 'Alan' });
  const session = await visitor.start('refund');
  const [request] = asked(await session.log(1));
  expect(request).toMatchObject({ options: [] });
  const at = `/conversations/${session.id}`;
  const standing = async () => (await grace.call(service, 'GET', `${at}/thread`)).body.approvals[0];
  const answer = (member: typeof grace, requestId = request?.requestId) =>
    member.call(service, 'POST', `${at}/approvals`, { requestId, answer: 'approve' });
  const token = { requestId: request?.requestId, answer: 'approve' };
  expect((await service.settings('POST', `${at}/approvals`, token)).status).toBe(409);
  const twice = await Promise.all([answer(grace), answer(grace)]);
  expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await standing()).toMatchObject({ approved: [{ by: 'team', name: 'Grace' }], needed: 2 });
  expect((await answer(grace)).body.error).toContain('You have approved it.');

  const amendment = { requestId: request?.requestId, input: { order: 'B-2' } };
  expect((await alan.call(service, 'POST', `${at}/approvals/amend`, amendment)).status).toBe(200);
  const { requestId, approved } = await standing();
  expect(approved).toEqual([]);
  expect((await answer(alan, requestId)).status).toBe(200);
  expect(refunds()).toBe(0);
  // Whoever may only look by now has approved nothing.
  await service.settings('PATCH', `/members/${alan.id}`, { role: 'viewer' });
  expect(await standing()).toMatchObject({ approved: [], needed: 2 });
  expect((await answer(grace, requestId)).status).toBe(200);
  await session.log(5);
  expect(refunds()).toBe(0);
  expect(await standing()).toMatchObject({ approved: [{ name: 'Grace' }] });
  await service.settings('PATCH', `/members/${alan.id}`, { role: 'agent' });
  expect((await answer(alan, requestId)).status).toBe(200);
  const log = await session.log(6);
  expect(said(log).join(' ')).toContain('It says');
  expect(refunds()).toBe(1);
  expect(dataOf(log, 'input.approved')).toMatchObject([
    { by: 'team', given: 1, needed: 2 },
    { by: 'team', given: 1, needed: 2 },
    { by: 'team', given: 1, needed: 2 },
  ]);
  expect(JSON.stringify(log)).not.toMatch(/Grace|Alan/);
});

test('where the visitor and one of the team have to approve, either may begin, and either may refuse', async () => {
  const { service, grace, refunds, visitor } = await shop('both');
  const session = await visitor.start('refund');
  const at = `/conversations/${session.id}`;
  const waits = async () =>
    (await grace.call(service, 'GET', '/inbox?view=waiting')).body.items.length as number;
  const byTeam = async (answer: string, waitings: number) => {
    const request = asked(await session.log(waitings)).at(-1);
    return grace.call(service, 'POST', `${at}/approvals`, { requestId: request?.requestId, answer });
  };
  const byVisitor = async (optionId: string, waitings: number) => {
    const request = asked(await session.log(waitings)).at(-1);
    await session.send({ inputResponses: [{ requestId: request?.requestId, optionId }] });
  };
  await byVisitor('approve', 1);
  expect(dataOf(await session.log(2), 'input.approved')).toMatchObject([{ by: 'visitor', given: 1 }]);
  // Once more is no more.
  await byVisitor('approve', 2);
  await session.log(3);
  expect([refunds(), await waits()]).toEqual([0, 1]);
  expect((await byTeam('approve', 3)).status).toBe(200);
  await session.log(4);
  expect(refunds()).toBe(1);

  await session.send({ message: 'refund' });
  expect((await byTeam('approve', 5)).status).toBe(200);
  expect([refunds(), await waits()]).toEqual([1, 0]);
  expect((await byTeam('approve', 6)).status).toBe(409);
  // A yes of the team falls with whoever gave it: the team is asked again.
  await service.settings('PATCH', `/members/${grace.id}`, { role: 'viewer' });
  await byVisitor('approve', 6);
  await session.log(7);
  expect([refunds(), await waits()]).toEqual([1, 1]);
  await service.settings('PATCH', `/members/${grace.id}`, { role: 'agent' });
  expect((await byTeam('deny', 7)).status).toBe(200);
  expect(dataOf(await session.log(8), 'action.result').at(-1)).toMatchObject({ status: 'rejected' });
  expect(refunds()).toBe(1);
});
