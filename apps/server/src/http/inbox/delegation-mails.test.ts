import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openMailServer } from '../../testing/mail-server.ts';
import { type SignedInMember, signedInMember } from '../../testing/signed-in-member.ts';
import { testService } from '../../testing/test-service.ts';
import { asked, Visitor } from '../../testing/visitor.ts';

const { port, received } = await openMailServer();
const minute = 60_000;

test('whoever was handed an approval is reminded once, and all who may answer are when it is theirs no more', async () => {
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
    approvalExpiresAfterMs: 60 * minute,
    parameters: { type: 'object' },
    request: { method: 'POST', url: 'https://shop.example/refund' },
  });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'publishable' });
  const mailsTo = (who: SignedInMember) =>
    received
      .filter((mail) => [mail.to].flat()[0]?.text === mailbox(who).address)
      .map(({ subject = '' }) => subject.split(':')[0]);

  const session = await new Visitor(service.url, String(key)).start('refund');
  const [request] = asked(await session.log(1));
  await expect.poll(() => [mailsTo(grace), mailsTo(alan)]).toEqual([['To approve'], ['To approve']]);
  const handed = await grace.call(service, 'POST', `/conversations/${session.id}/approvals/delegate`, {
    requestId: request?.requestId,
    memberId: alan.id,
  });
  expect(handed.status).toBe(200);
  await expect.poll(() => mailsTo(alan)).toEqual(['To approve', 'To approve']);

  ahead += 31 * minute;
  await expect.poll(() => mailsTo(alan)).toEqual(['To approve', 'To approve', 'Still waiting']);
  expect(mailsTo(grace)).toEqual(['To approve']);
  await service.settings('PATCH', `/members/${alan.id}`, { role: 'viewer' });
  ahead += 16 * minute;
  await expect.poll(() => mailsTo(grace)).toEqual(['To approve', 'Still waiting']);
  expect(mailsTo(alan)).toHaveLength(3);
});
