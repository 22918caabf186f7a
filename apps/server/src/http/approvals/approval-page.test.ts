import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openMailServer } from '../../testing/mail-server.ts';
import { signedInMember } from '../../testing/signed-in-member.ts';
import { type Answer, type TestService, testService } from '../../testing/test-service.ts';
import { openToolEndpoint } from '../../testing/tool-endpoint.ts';
import { asked, dataOf, said, Visitor, VisitorSession } from '../../testing/visitor.ts';

const { port, received } = await openMailServer();

const script = [
  { when: '^refund', steps: [{ call: 'refund', input: { order: '<b>A-17</b>' } }, { say: 'Refunded.' }] },
  { steps: [{ say: 'Heard {{input}}' }] },
];

/** A shop whose agent writes to Grace and to the desk before it refunds. */
async function shop(approvalsBy: string) {
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
  const grace = await signedInMember(service, { role: 'agent', tenantId, name: 'Grace' });
  const of = randomUUID();
  const desk = { address: `desk-${of}@shop.example` };
  const mailOfGrace = { address: `grace-${of}@shop.example`, memberId: grace.id };
  const model = { provider: 'scripted', script };
  const about = { tenantId, name: 'Ada', model, approvalsBy, approvalMail: [mailOfGrace, desk] };
  const { id: agentId } = await created('/agents', about);
  const settings = { host: '127.0.0.1', port, security: 'none', from: 'ada@shop.example', recipients: ['*'] };
  const post = { agentId, kind: 'mail', name: 'post', fromName: 'Shop', ...settings };
  const { id: postId } = await created('/connections', post);
  await created('/tools', {
    agentId,
    kind: 'http',
    name: 'refund',
    description: 'Refunds an order',
    approval: 'always',
    display: { title: { en: 'Refund' }, summary: { en: 'Refund order {{order}} in full?' } },
    parameters: {
      type: 'object',
      properties: { order: { type: 'string', title: 'Order' } },
      required: ['order'],
    },
    request: { method: 'POST', url: `${endpoint.url}/refund`, body: { order: '{{order}}' } },
  });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'publishable' });
  const refunds = () => endpoint.calls.filter(({ path }) => path === '/refund');
  const visitor = new Visitor(service.url, String(key));
  const linksTo = (address: string) =>
    received
      .filter((mail) => [mail.to].flat()[0]?.text === address)
      .map(({ text }) => new URL(/http\S+/.exec(text ?? '')?.[0] ?? '').pathname);
  /** The path in the mail of this number to an address, once it has come. */
  const link = async (address: string, number: number) => {
    await expect.poll(() => linksTo(address).length).toBeGreaterThanOrEqual(number);
    return linksTo(address)[number - 1] ?? '';
  };
  return {
    service,
    env,
    agentId,
    tenantId,
    postId,
    grace,
    mailOfGrace,
    desk,
    visitor,
    key: String(key),
    refunds,
    link,
    linksTo,
  };
}

const page = async (service: TestService, path: string) => {
  const response = await fetch(service.url + path);
  return { status: response.status, html: await response.text(), headers: response.headers };
};
const press = (service: TestService, path: string, answer: 'approve' | 'deny') =>
  fetch(`${service.url}${path}/${answer}`, { method: 'POST', redirect: 'manual' });

test('by the link in a mail the team answers once what it was sent for, and the visitor finds the work done', async () => {
  const {
    service,
    env,
    agentId,
    tenantId,
    postId,
    grace,
    mailOfGrace,
    desk,
    visitor,
    key,
    refunds,
    link,
    linksTo,
  } = await shop('team');
  const session = await visitor.start('refund');
  await session.log(1);
  const first = await link(mailOfGrace.address, 1);
  // With a key that every visitor has, the id of a session is the right to read it.
  const readable = first.split(/[./]/).map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  expect([first, ...readable].join()).not.toContain(session.id);
  const opened = await page(service, first);
  expect(opened.html).toContain('Refund order <bdi>&#60;b&#62;A-17&#60;/b&#62;</bdi> in full?');
  expect(opened.html).toContain('<dt dir="auto">Order</dt><dd dir="auto">&#60;b&#62;A-17&#60;/b&#62;</dd>');
  expect(opened.html).toContain('counts as that of Grace');
  expect(opened.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-/);
  expect(opened.html).not.toContain('<script');
  // What looks into mails for people follows links, as often as it likes, and to where the buttons lead.
  for (const path of [first, `${first}/approve`]) await page(service, path);
  expect(refunds()).toEqual([]);
  const forged = first.slice(0, -10) + (first.at(-10) === 'A' ? 'B' : 'A') + first.slice(-9);
  expect((await page(service, forged)).status).toBe(404);
  expect((await press(service, forged, 'approve')).status).toBe(404);

  const at = `/conversations/${session.id}`;
  const { body: before } = await grace.call(service, 'GET', `${at}/thread`);
  const amendment = { requestId: before.approvals[0].requestId, input: { order: 'B-2' } };
  expect((await grace.call(service, 'POST', `${at}/approvals/amend`, amendment)).status).toBe(200);
  expect((await page(service, first)).html).toContain('This has changed');
  expect(await (await press(service, first, 'approve')).text()).toContain('This has changed');
  const byGrace = await link(mailOfGrace.address, 2);
  const byDesk = await link(desk.address, 2);
  expect((await page(service, byDesk)).html).toContain('Grace changed what the agent wanted to do.');

  await service.stop();
  const again = await testService(env, { stored: service.stored });
  await again.settings('PATCH', `/agents/${agentId}`, { approvalMail: [mailOfGrace] });
  expect(await (await press(again, byDesk, 'approve')).text()).toContain('counts no longer');
  const pressed = await Promise.all([1, 2, 3].map(() => press(again, byGrace, 'approve')));
  expect(pressed.filter(({ status }) => status === 303).length).toBeGreaterThan(0);
  await expect.poll(async () => (await page(again, byGrace)).html).toMatch(/<h1>Approved[^]*By Grace, /);
  expect(await (await press(again, byGrace, 'deny')).text()).toContain('By Grace');

  const ofDesk = (await page(again, byDesk)).html;
  expect(ofDesk).toContain('counts no longer');
  expect(ofDesk).not.toContain('Grace');

  const back = new VisitorSession(new Visitor(again.url, key), session.id, session.token);
  const log = await back.log(3);
  expect(dataOf(log, 'input.answered')).toMatchObject([{ optionId: 'approve', by: 'team' }]);
  expect(said(log)).toEqual(['Refunded.']);
  expect(refunds().map(({ body }) => body)).toEqual(['{"order":"B-2"}']);
  expect(asked(log)).toHaveLength(2);

  // Where two have to approve, a mailbox that is nobody's is not asked, and Grace is one in the inbox and by mail.
  const two = { approvalsBy: 'two', approvalMail: [mailOfGrace, desk] };
  await again.settings('PATCH', `/agents/${agentId}`, two);
  await back.send({ message: 'refund' });
  const third = await link(mailOfGrace.address, 3);
  expect((await page(again, third)).html).toContain('Two of the team have to approve it.');
  const { body: thread } = await grace.call(again, 'GET', `${at}/thread`);
  const yes = { requestId: thread.approvals[0].requestId, answer: 'approve' };
  expect((await grace.call(again, 'POST', `${at}/approvals`, yes)).status).toBe(200);
  expect((await page(again, third)).html).toContain('You have approved this');
  expect(await (await press(again, third, 'approve')).text()).toContain('You have approved this');
  expect([refunds().length, linksTo(desk.address).length]).toEqual([1, 2]);

  // A viewer approves nothing in the inbox, and nothing by mail.
  await again.settings('PATCH', `/members/${grace.id}`, { role: 'viewer' });
  expect((await page(again, third)).html).toContain('counts no longer');
  expect(await (await press(again, third, 'deny')).text()).toContain('counts no longer');

  // Nobody is named who would never be written to; who is named already keeps nothing else from being saved.
  const { body: elsewhere } = await again.settings('POST', '/tenants', { name: 'Other' });
  const about = { tenantId: elsewhere.id, name: 'Eve', model: { provider: 'scripted', script } };
  const named = (memberId: string) => ({ approvalMail: [desk, { address: 'x@shop.example', memberId }] });
  const refused = [
    await again.settings('POST', '/agents', { ...about, ...named(grace.id) }),
    await again.settings('PATCH', `/agents/${agentId}`, named('member_none')),
    await again.settings('PATCH', `/agents/${agentId}/draft`, named('member_none')),
  ];
  for (const { status, body } of refused)
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { issues: [{ path: ['approvalMail', 1, 'memberId'] }] },
    });
  expect((await again.settings('PATCH', `/agents/${agentId}`, named(grace.id))).status).toBe(200);

  // Whoever reads a member's mailbox answers as them: an admin names it in no way.
  await again.settings('PATCH', `/members/${grace.id}`, { role: 'agent' });
  const [admin, owner] = await Promise.all(
    (['admin', 'owner'] as const).map((role) => signedInMember(again, { role, tenantId })),
  );
  const agent = `/agents/${agentId}`;
  const stolen = { approvalMail: [{ address: 'mallory@shop.example', memberId: grace.id }] };
  const own = { approvalMail: [{ address: 'admin@shop.example', memberId: admin!.id }] };
  const isBorrowed = (answer: Answer) =>
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('an owner does') } });
  const whole = { name: 'Eve', tenantId, model: { provider: 'scripted', script } };
  isBorrowed(await admin!.call(again, 'POST', '/agents', { ...whole, ...stolen }));
  isBorrowed(await admin!.call(again, 'PATCH', agent, stolen));
  isBorrowed(await admin!.call(again, 'PATCH', `${agent}/draft`, stolen));
  expect((await owner!.call(again, 'PATCH', `${agent}/draft`, stolen)).status).toBe(200);
  isBorrowed(await admin!.call(again, 'POST', `${agent}/publish`, {}));
  expect((await owner!.call(again, 'POST', `${agent}/publish`, {})).status).toBe(200);

  // Nor do they have mail to it sent by a server of their own.
  const post = `/connections/${postId}`;
  const mallory = { kind: 'mail', host: '127.0.0.1', port, security: 'none', recipients: ['*'] };
  const second = { ...mallory, agentId, name: 'second', from: 'mallory@shop.example' };
  const isDiverted = (answer: Answer) =>
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('only an owner changes how it is sent') },
    });
  const others = [
    { host: 'localhost' },
    { port: 1 },
    { security: 'tls' },
    { user: 'mallory' },
    { from: 'mallory@shop.example' },
    { notices: true },
  ];
  for (const each of others) isDiverted(await admin!.call(again, 'PATCH', post, each));
  isDiverted(await admin!.call(again, 'POST', '/connections', second));
  isDiverted(await admin!.call(again, 'DELETE', post));
  expect((await admin!.call(again, 'PATCH', post, { fromName: 'The shop' })).status).toBe(200);
  expect((await owner!.call(again, 'PATCH', post, { from: 'shop@shop.example' })).status).toBe(200);

  const { body: published } = await again.settings('GET', agent);
  expect((await admin!.call(again, 'PATCH', agent, own)).status).toBe(200);
  expect((await admin!.call(again, 'POST', '/connections', second)).status).toBe(201);
  const earlier = `${agent}/revisions/${published.revision}/restore`;
  for (const to of ['draft', 'live']) isBorrowed(await admin!.call(again, 'POST', earlier, { to }));

  const audit = await again.settings('GET', '/audit');
  expect(audit.body.items).toContainEqual(
    expect.objectContaining({ kind: 'approval', actor: { id: grace.id, name: 'Grace' } }),
  );

  // A connection that has sent all it may in this minute puts mails off: none of them has used up an attempt by that.
  const desks = [1, 2, 3].map((each) => ({ address: `${each}-${desk.address}` }));
  await again.settings('PATCH', agent, { approvalsBy: 'team', approvalMail: desks });
  expect((await again.settings('PATCH', `/connections/${postId}`, { callsPerMinute: 1 })).status).toBe(200);
  const other = await new Visitor(again.url, key).start('refund');
  await other.log(1);
  const putOff = () =>
    again.stored.sql(
      'SELECT attempts FROM approval_mails WHERE address IN (?, ?, ?) AND due_at > ? AND is_reminder = ?',
      ...desks.map(({ address }) => address),
      Date.now(),
      0,
    );
  await expect.poll(putOff).toContainEqual({ attempts: 0 });
});
