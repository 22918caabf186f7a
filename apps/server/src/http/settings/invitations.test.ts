import { expect, test } from 'vitest';
import { invitationHandlers } from './invitations.ts';

test.each([
  ['is an owner', { role: 'owner' }, []],
  ['is an admin by now', { role: 'admin' }, ['invitation']],
  ['is removed by now', null, ['invitation']],
])('an invitation of whoever %s, who was an owner when the request began', async (_, member, taken) => {
  const removed: string[] = [];
  const told: unknown[] = [];
  const { createInvitation } = invitationHandlers(
    {
      create: async () => ({ id: 'invitation', token: 'secret' }),
      delete: async (_principal: unknown, id: string) => void removed.push(id),
    } as never,
    { get: async () => member } as never,
  );
  const response = { status: () => response, json: (body: unknown) => told.push(body) };
  const principal = { kind: 'member', id: 'eve', role: 'owner' };
  const created = createInvitation({ response, principal, body: {} } as never);
  if (taken.length === 0) await created;
  else await expect(created).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect([removed, told.length]).toEqual([taken, 1 - taken.length]);
});
