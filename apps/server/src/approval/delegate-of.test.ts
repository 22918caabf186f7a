import { expect, test } from 'vitest';
import type { PendingRequest } from '../session/state/phase.ts';
import type { MemberRecord } from '../store/settings-store.ts';
import { delegateOf, isWrittenTo } from './delegate-of.ts';

const alan = { id: 'member_alan', name: 'Alan' };
const grace = { id: 'member_grace', name: 'Grace' };
const yesOf = ({ id, name }: typeof alan) => ({ by: 'team' as const, id, name });

const request: PendingRequest['request'] = {
  requestId: 'apr_1',
  kind: 'tool-approval',
  prompt: 'Refund?',
  action: { kind: 'tool-call', callId: 'call_1', toolName: 'refund', input: {} },
};

const asked = (by: PendingRequest['by'], ...approvedBy: (typeof alan)[]): PendingRequest => ({
  request,
  response: null,
  expiresAt: null,
  expired: false,
  by,
  approvedBy: approvedBy.map(yesOf),
  delegated: { from: grace, to: alan, line: null, times: 1, everTo: [alan.id] },
});

/** Whose mailboxes are written to, of Alan's, Grace's and one that is nobody's. */
async function writtenTo(
  pending: PendingRequest,
  {
    role = 'agent',
    named = [alan, grace],
  }: Partial<Pick<MemberRecord, 'role'>> & { named?: (typeof alan)[] } = {},
) {
  const get = (id: string) => Promise.resolve({ id, role, tenantId: 'tenant_1' } as MemberRecord);
  const webhooks = { get: () => Promise.resolve(null) };
  const team = {
    members: { get },
    tenantId: 'tenant_1',
    agentId: 'agent_1',
    webhooks,
    approvalMail: named.map(({ id }) => ({ address: `${id}@shop.example`, memberId: id })),
  };
  const delegate = await delegateOf(team, pending);
  return [alan.id, grace.id, null].filter((id) => isWrittenTo(team, pending, delegate, id));
}

test('mail about an approval that was handed on goes to one mailbox, for as long as that member’s yes would do', async () => {
  const everybody = [alan.id, grace.id, null];
  expect(await writtenTo(asked('team'))).toEqual([alan.id]);
  expect(await writtenTo(asked('both'))).toEqual([alan.id]);
  // One yes does not do.
  expect(await writtenTo(asked('two'))).toEqual(everybody);
  expect(await writtenTo(asked('two', grace))).toEqual([alan.id]);
  // It is asked of nobody in particular any more.
  expect(await writtenTo(asked('two', alan))).toEqual(everybody);
  expect(await writtenTo(asked('team'), { role: 'viewer' })).toEqual(everybody);
  // Without a mailbox they are not written to, and somebody has to be.
  expect(await writtenTo(asked('team'), { named: [grace] })).toEqual(everybody);
});
