import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openMailServer } from '../../testing/mail-server.ts';
import { type SignedInMember, signedInMember } from '../../testing/signed-in-member.ts';
import { request, testService } from '../../testing/test-service.ts';
import { asked, Visitor } from '../../testing/visitor.ts';

const { port, received: mails } = await openMailServer();
const minute = 60_000;

/** A shop whose agent asks Grace and Alan by mail, and Bob in the inbox alone. */
async function shop(expiresAfterMs?: number) {
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const service = await testService({ EGRESS_ALLOW: `127.0.0.1:${port}` }, { clock });
  const created = async (path: string, body: unknown) => {
    const answer = await service.settings('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
  const { id: tenantId } = await created('/tenants', { name: 'Shop' });
  const grace = await signedInMember(service, { role: 'agent', tenantId, name: 'Grace' });
  const alan = await signedInMember(service, { role: 'agent', tenantId, name: 'Alan' });
  const bob = await signedInMember(service, { role: 'agent', tenantId, name: 'Bob' });
  const of = randomUUID();
  const mailbox = ({ id, name }: SignedInMember) => ({ address: `${name}-${of}@shop.example`, memberId: id });
  const { id: agentId } = await created('/agents', {
    tenantId,
    name: 'Bot',
    model: { provider: 'scripted', script: [{ steps: [{ call: 'refund', input: {} }, { say: 'Done.' }] }] },
    approvalsBy: 'team',
    approvalMail: [grace, alan].map(mailbox),
  });
  const server = { host: '127.0.0.1', port, security: 'none', from: 'bot@shop.example', recipients: ['*'] };
  await created('/connections', { agentId, kind: 'mail', name: 'post', fromName: 'Shop', ...server });
  await created('/tools', {
    agentId,
    kind: 'http',
    name: 'refund',
    description: 'Refunds an order',
    approval: 'always',
    ...(expiresAfterMs !== undefined && { approvalExpiresAfterMs: expiresAfterMs }),
    parameters: { type: 'object' },
    request: { method: 'POST', url: 'https://shop.example/refund' },
  });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'publishable' });
  const received = (who: SignedInMember) =>
    mails.filter((mail) => [mail.to].flat()[0]?.text === mailbox(who).address);
  const mailsTo = (who: SignedInMember) => received(who).map(({ subject = '' }) => subject.split(':')[0]);

  const session = await new Visitor(service.url, String(key)).start('refund');
  const [first] = asked(await session.log(1));
  await expect.poll(() => [mailsTo(grace), mailsTo(alan)]).toEqual([['To approve'], ['To approve']]);
  const at = `/conversations/${session.id}/approvals`;
  let requestId = String(first?.requestId);
  return {
    service,
    people: { grace, alan, bob },
    received,
    mailsTo,
    pass: async (ms: number) => {
      // What has arrived is sent once more where its claim runs out before the service has heard that it was taken.
      const claimed = 'SELECT key FROM approval_mails WHERE attempts > 0';
      await expect.poll(() => service.stored.sql(claimed)).toEqual([]);
      ahead += ms;
    },
    hand: async (from: SignedInMember, to: SignedInMember, line = '') => {
      const delegation = { requestId, memberId: to.id, line };
      const answer = await from.call(service, 'POST', `${at}/delegate`, delegation);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    },
    amend: async (who: SignedInMember, input: object) => {
      const answer = await who.call(service, 'POST', `${at}/amend`, { requestId, input });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      const thread = await who.call(service, 'GET', `/conversations/${session.id}/thread`);
      requestId = thread.body.approvals[0].requestId;
    },
    waiting: async () => (await service.stored.sql('SELECT key FROM approval_mails')).length,
  };
}

test('whoever was handed an approval is reminded once, and all who may answer are when it is theirs no more', async () => {
  const { service, people, mailsTo, pass, hand } = await shop(60 * minute);
  const { grace, alan } = people;
  await hand(grace, alan);
  await expect.poll(() => mailsTo(alan)).toEqual(['To approve', 'To approve']);

  await pass(31 * minute);
  await expect.poll(() => mailsTo(alan)).toEqual(['To approve', 'To approve', 'Still waiting']);
  expect(mailsTo(grace)).toEqual(['To approve']);
  await service.settings('PATCH', `/members/${alan.id}`, { role: 'viewer' });
  await pass(16 * minute);
  await expect.poll(() => mailsTo(grace)).toEqual(['To approve', 'Still waiting']);
  expect(mailsTo(alan)).toHaveLength(3);
});

test('of an approval that was handed on and changed all others are written to once it is theirs no more', async () => {
  const { service, people, mailsTo, pass, hand, amend } = await shop(60 * minute);
  const { grace, alan } = people;
  await hand(grace, alan);
  await expect.poll(() => mailsTo(alan)).toEqual(['To approve', 'To approve']);
  await amend(grace, { order: 'B-2' });
  await expect.poll(() => mailsTo(alan)).toEqual(['To approve', 'To approve', 'To approve']);
  expect(mailsTo(grace)).toEqual(['To approve']);
  await service.settings('PATCH', `/members/${alan.id}`, { role: 'viewer' });
  await pass(16 * minute);
  await expect.poll(() => mailsTo(grace)).toEqual(['To approve', 'To approve']);
});

test('handed to somebody who gets no mail, an approval is reminded of by mail to the others', async () => {
  const { people, mailsTo, pass, hand } = await shop(60 * minute);
  const { grace, alan, bob } = people;
  await hand(grace, bob);
  await pass(31 * minute);
  const reminded = ['To approve', 'Still waiting'];
  await expect.poll(() => [mailsTo(grace), mailsTo(alan)]).toEqual([reminded, reminded]);
});

test('handed to and fro, an approval is written about once to each, and nothing waits for ever', async () => {
  const { service, people, received, mailsTo, pass, hand, waiting } = await shop();
  const { grace, alan, bob } = people;
  const twice = ['To approve', 'To approve'];
  for (const [from, to] of [
    [grace, alan],
    [alan, grace],
  ] as const) {
    await hand(from, to);
    await expect.poll(() => mailsTo(to)).toEqual(twice);
  }
  // Whoever handed it on takes it back, and is not written to about that.
  await hand(alan, alan);
  await hand(alan, bob);
  await hand(bob, alan);
  await pass(84 * 60 * minute + minute);
  await expect.poll(() => mailsTo(alan)).toEqual([...twice, 'Still waiting']);
  const ids = received(alan).map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(3);
  // Grace's reminder waits for as long as it is asked of him, and no longer than a link would be good for.
  await expect.poll(waiting).toBe(1);
  expect(mailsTo(grace)).toEqual(twice);
  await pass(85 * 60 * minute);
  await expect.poll(waiting).toBe(0);
  expect(mailsTo(grace)).toEqual(twice);

  // The page of his link says by whom and with what words, until a week is over.
  await hand(grace, grace);
  await hand(grace, alan, 'You know <her>.');
  const [link = ''] = /http\S+/.exec(received(alan)[0]?.text ?? '') ?? [];
  const page = async () => (await request(service.url + new URL(link).pathname)).body as string;
  const opened = await page();
  for (const text of ['Grace has handed it to you.', 'You know &#60;her&#62;.'])
    expect(opened).toContain(text);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 24 * 60 * minute });
  onTestFinished(() => void vi.useRealTimers());
  expect(await page()).toContain('This link has expired');
});
