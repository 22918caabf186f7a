import { randomUUID } from 'node:crypto';
import type { SessionEvent } from '@parley/protocol/event';
import type { LoggedEvent } from '@parley/protocol/settings/conversation';
import { expect, onTestFinished, test } from 'vitest';
import { followInbox } from '../../testing/follow-inbox.ts';
import { openMailServer } from '../../testing/mail-server.ts';
import { type SignedInMember, signedInMember } from '../../testing/signed-in-member.ts';
import { type TestService, testService } from '../../testing/test-service.ts';
import { openToolEndpoint } from '../../testing/tool-endpoint.ts';
import { asked, dataOf, said, Visitor, VisitorSession } from '../../testing/visitor.ts';

const { port, received } = await openMailServer();

const script = [
  { when: '^refund', steps: [{ call: 'refund', input: { order: 'A-17' } }, { say: 'Refunded.' }] },
  { steps: [{ say: 'Heard {{input}}' }] },
];

test('an approval is asked of whom it was handed to, who is written to; whoever else may answer it still does', async () => {
  const endpoint = await openToolEndpoint();
  onTestFinished(() => endpoint.close());
  const env = { EGRESS_ALLOW: `${endpoint.host},127.0.0.1:${port}` };
  const service = await testService(env);
  const created = async (path: string, body: unknown) => {
    const answer = await service.settings('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Shop' });
  const { id: otherId } = await created('/tenants', { name: 'Other' });
  const member = (name: string, of: string | null) =>
    signedInMember(service, { role: 'agent', tenantId: of, name });
  const grace = await member('Grace', tenantId);
  const alan = await member('Alan', tenantId);
  const ada = await member('Ada', null);
  const stranger = await member('Mallory', otherId);
  const of = randomUUID();
  const mailbox = ({ id, name }: SignedInMember) => ({ address: `${name}-${of}@shop.example`, memberId: id });
  const approvalMail = [mailbox(grace), mailbox(alan)];
  const model = { provider: 'scripted', script };
  const about = { tenantId, name: 'Bot', model, approvalsBy: 'two', approvalMail };
  const { id: agentId } = await created('/agents', about);
  const settings = { host: '127.0.0.1', port, security: 'none', from: 'bot@shop.example', recipients: ['*'] };
  await created('/connections', { agentId, kind: 'mail', name: 'post', fromName: 'Shop', ...settings });
  await created('/tools', {
    agentId,
    kind: 'http',
    name: 'refund',
    description: 'Refunds an order',
    approval: 'always',
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    request: { method: 'POST', url: `${endpoint.url}/refund`, body: { order: '{{order}}' } },
  });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'publishable' });
  const mailsTo = (who: SignedInMember) =>
    received
      .filter((mail) => [mail.to].flat()[0]?.text === mailbox(who).address)
      .map(({ text = '' }) => text);
  const refunds = () => endpoint.calls.filter(({ path }) => path === '/refund').length;

  const session = await new Visitor(service.url, String(key)).start('refund');
  const [request] = asked(await session.log(1));
  const requestId = String(request?.requestId);
  const at = `/conversations/${session.id}`;
  const hand = (on: TestService, from: SignedInMember, to: SignedInMember, more: object = {}) =>
    from.call(on, 'POST', `${at}/approvals/delegate`, { requestId, memberId: to.id, ...more });
  const answer = (on: TestService, who: SignedInMember, id = requestId) =>
    who.call(on, 'POST', `${at}/approvals`, { requestId: id, answer: 'approve' });

  // Of the operator's own people a tenant's are shown nobody.
  const ofShop = [grace, alan].map(({ id, name }) => ({ id, name, isWrittenTo: true }));
  const offered = await grace.call(service, 'GET', `${at}/approvers`);
  expect(offered.body).toEqual({ items: ofShop, next: null });
  const first = await ada.call(service, 'GET', `${at}/approvers`);
  expect(first.body.items).toEqual(ofShop);
  const second = await ada.call(service, 'GET', `${at}/approvers?cursor=${first.body.next}`);
  expect(second.body).toEqual({ items: [{ id: ada.id, name: 'Ada', isWrittenTo: false }], next: null });

  const mayNot = [{ path: ['memberId'], message: 'There is no such member, or they may only look.' }];
  expect((await hand(service, grace, stranger)).body.issues).toMatchObject(mayNot);
  expect((await hand(service, grace, alan, { line: 'x'.repeat(301) })).status).toBe(400);
  const own = await hand(service, grace, grace);
  expect([own.status, own.body.error]).toEqual([409, 'You can answer it yourself.']);
  expect((await hand(service, stranger, alan)).status).toBe(404);
  const byToken = { requestId, memberId: alan.id };
  expect((await service.settings('POST', `${at}/approvals/delegate`, byToken)).status).toBe(409);

  // Of two at once that say the same, one did it.
  const list = await followInbox(service, alan);
  const line = `You know the customer.\r\nBcc: all@shop.example. ${'Call first. '.repeat(19)}Else decline it.`;
  const twice = await Promise.all([1, 2].map(() => hand(service, grace, alan, { line })));
  expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const [asking] = (await list.items((items) => items.some(({ askedOf }) => askedOf?.id === alan.id))).slice(
    -1,
  );
  expect(asking?.askedOfIds).toEqual([alan.id]);
  const handed = { from: { id: grace.id, name: 'Grace' }, to: { id: alan.id, name: 'Alan' }, line };
  const standing = async (on: TestService) =>
    (await ada.call(on, 'GET', `${at}/thread`)).body.approvals[0] as Record<string, unknown>;
  expect(await standing(service)).toMatchObject({ delegated: handed, approved: [] });

  const listed = async (of: TestService, who: SignedInMember, view = 'mine') =>
    (await who.call(of, 'GET', `/inbox?view=${view}`)).body.items.map(
      ({ id, askedOf }: { id: string; askedOf: unknown }) => ({ id, askedOf }),
    );
  expect(await listed(service, alan)).toEqual([{ id: session.id, askedOf: handed.to }]);
  expect(await listed(service, grace)).toEqual([]);
  const found = (who: SignedInMember) => listed(service, who, 'mine&search=refund');
  await expect.poll(() => found(alan)).toMatchObject([{ id: session.id }]);
  expect(await found(grace)).toEqual([]);

  // While the first process runs: what it is handing over as it stops is left to its lease, longer than a test waits.
  await expect
    .poll(() => mailsTo(alan).join('\n'))
    .toContain(`Grace has handed it to you: ${line.replace('\r\n', ' ')}\n`);

  // Another process, after the first has ended, knows it and hands it on.
  await service.stop();
  const again = await testService(env, { stored: service.stored });
  expect(await standing(again)).toMatchObject({ delegated: handed });
  expect((await answer(again, ada)).status).toBe(200);
  expect((await hand(again, alan, ada)).body.error).toBe('Ada has approved it already.');
  expect((await hand(again, alan, alan)).status).toBe(409);
  expect(await listed(again, alan)).toMatchObject([{ askedOf: handed.to }]);
  expect((await hand(again, ada, grace, { line: ' ' })).status).toBe(200);
  expect(await listed(again, alan)).toEqual([]);
  expect(await standing(again)).toMatchObject({ delegated: { to: { name: 'Grace' }, line: null } });

  // Changed, it is still asked of her.
  const amendment = { requestId, input: { order: 'B-2' } };
  expect((await ada.call(again, 'POST', `${at}/approvals/amend`, amendment)).status).toBe(200);
  const changed = String((await standing(again))['requestId']);
  expect(await standing(again)).toMatchObject({ delegated: { to: { name: 'Grace' } }, approved: [] });
  expect(await listed(again, grace)).toMatchObject([{ askedOf: { name: 'Grace' } }]);
  const on = (from: SignedInMember, to: SignedInMember) =>
    from.call(again, 'POST', `${at}/approvals/delegate`, { requestId: changed, memberId: to.id });
  expect((await hand(again, grace, alan)).status).toBe(409);
  // Whoever may only look by now is not asked any more, and the team is again.
  await again.settings('PATCH', `/members/${grace.id}`, { role: 'viewer' });
  expect(await standing(again)).toMatchObject({ delegated: null });
  expect((await on(ada, grace)).body.issues).toMatchObject(mayNot);
  await again.settings('PATCH', `/members/${grace.id}`, { role: 'agent' });
  expect(await standing(again)).toMatchObject({ delegated: { to: { name: 'Grace' } } });

  for (let times = 2; times < 10; times++)
    expect((await on(ada, times % 2 === 0 ? alan : grace)).status).toBe(200);
  expect((await on(ada, alan)).body.error).toContain('handed on 10 times at most');
  expect((await answer(again, grace, changed)).status).toBe(200);
  // Whoever has said yes is asked no more; the other one of two still is anybody.
  expect(await listed(again, alan, 'waiting')).toEqual([{ id: session.id, askedOf: null }]);
  expect((await answer(again, alan, changed)).status).toBe(200);
  expect((await on(ada, alan)).status).toBe(409);

  const back = new VisitorSession(new Visitor(again.url, String(key)), session.id, session.token);
  const log = await back.log(5);
  expect(said(log).join(' ')).toContain('Refunded.');
  expect(refunds()).toBe(1);
  // Only that it was handed on is told outside of the team.
  expect(dataOf(log, 'approval.delegated')).toHaveLength(10);
  expect(dataOf(log, 'approval.delegated')[0]).toMatchObject({ requestId, from: null, to: null, line: null });
  expect(JSON.stringify(log)).not.toMatch(/Grace|Alan|customer/);
  // A process of a version that does not know the event shows nothing of what is concealed.
  const kept = await again.stored.sql(
    `SELECT DISTINCT concealed FROM events WHERE type = 'approval.delegated'`,
  );
  expect(kept.map(({ concealed }) => Number(concealed))).toEqual([1]);
  const told = await grace.call(again, 'GET', `${at}/events?limit=200`);
  const events = told.body.items.map(({ event }: LoggedEvent) => event) as SessionEvent[];
  expect(dataOf(events, 'approval.delegated')[0]).toMatchObject({ requestId, ...handed });
  const audit = await again.settings('GET', '/audit?limit=200');
  const entries = audit.body.items.filter(
    ({ kind, after }: { kind: string; after?: object }) =>
      kind === 'approval' && after && 'delegatedTo.id' in after,
  );
  expect(entries).toHaveLength(10);
  expect(entries.at(-1)).toMatchObject({
    actor: { id: grace.id, name: 'Grace' },
    after: { 'delegatedTo.id': alan.id, 'delegatedTo.name': 'Alan', requestId },
  });
});
