import type { MemberView } from '@parley/protocol/settings/member';
import { expect, test } from 'vitest';
import { approversOf, isWrongAddress } from './mail-entry.ts';

test('a mailbox is said to be that of members who may approve for the tenant', () => {
  const member = (id: string, tenantId: string | null, role: MemberView['role']): MemberView => ({
    id,
    tenantId,
    role,
    name: id,
    createdAt: '2026-11-23T16:00:00.000Z',
    secondFactor: false,
  });
  const members = [
    member('ada', null, 'owner'),
    member('grace', 'fernhill', 'agent'),
    member('linus', 'fernhill', 'viewer'),
    member('mallory', 'saltmarsh', 'admin'),
  ];
  expect(approversOf(members, 'fernhill').map(({ id }) => id)).toEqual(['ada', 'grace']);
});

test('a row is wrong by its own address alone, and one that is empty is none', () => {
  const addresses = ['', ' ', ' grace@example.com ', 'grace', 'grace@example'];
  expect(addresses.map((address) => isWrongAddress({ address }))).toEqual([false, false, false, true, true]);
});
