import { expect, test } from 'vitest';
import type { ContactRecord } from '../contact-store.ts';
import type { Store } from '../store.ts';
import { enqueueRequest, opening, start, uploaded } from './samples.ts';
import { seed } from './settings.ts';

const ada = { tenantId: 'tenant_1', visitor: 'ada' };

const contact = (id: string, change: Partial<ContactRecord> = {}): ContactRecord => ({
  id,
  tenantId: 'tenant_1',
  visitor: id,
  stage: '',
  fields: {},
  said: {},
  createdAt: start,
  seenAt: start,
  revision: 0,
  ...change,
});

export function testContacts(store: () => Store): void {
  const list = async (query: Partial<Parameters<Store['listContacts']>[0]> = {}) => {
    const all = { stage: null, search: null, after: null, limit: 10, maxLookedAt: 100 };
    const page = await store().listContacts({ tenantId: 'tenant_1', ...all, ...query });
    return { ids: page.items.map(({ id }) => id), next: page.next };
  };

  test('a visitor is one contact of a tenant, whoever meets them first', async () => {
    await seed(store());
    const tries = ['a', 'b', 'c'].map((id) => store().addContact(contact(id, ada)));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    const { ids } = await list();
    expect(ids).toHaveLength(1);
    expect(await store().findContact(ada)).toEqual(contact(ids[0] ?? '', ada));
    expect(await store().findContact({ ...ada, tenantId: 'tenant_2' })).toBeNull();
    expect(await store().addContact(contact('lost', { tenantId: 'tenant_2' }))).toBe(false);
  });

  test('of two changes at once one counts, and a removed contact takes none', async () => {
    await seed(store());
    await store().addContact(contact('a'));
    const fields = { name: { value: 'Ada', by: 'team' } } as const;
    const changes = [contact('a', { stage: 'won' }), contact('a', { fields })];
    const done = await Promise.all(changes.map((each) => store().changeContact(each)));
    expect(done.filter(Boolean)).toHaveLength(1);
    await store().noteSeen('a', start + 5);
    // Of two processes the one with the older time may write last.
    await store().noteSeen('a', start + 4);
    expect(await store().getContact('a')).toMatchObject({ revision: 1, seenAt: start + 5 });
    // What was told of it goes in the same transaction: nobody comes back for it.
    const told = (eventId: string) =>
      ({
        id: `delivery_${eventId}`,
        webhookId: 'webhook_1',
        eventId,
        type: 'contact.changed',
        body: '{}',
      }) as const;
    expect(await store().changeContact((await store().getContact('a'))!, [told('before')])).toBe(true);
    await store().removeContact('a', [told('gone')]);
    const log = { webhookId: 'webhook_1', status: null, after: null, limit: 10 };
    expect((await store().listDeliveries(log)).items.map(({ eventId }) => eventId)).toEqual(['gone']);
    expect(await store().changeContact(contact('a', { revision: 1 }))).toBe(false);
    expect(await store().getContact('a')).toBeNull();
  });

  const receiptOf = (actor: { readonly id: string; readonly name: string }) =>
    ({
      at: start,
      tenantId: 'tenant_1',
      actor,
      action: 'deleted',
      kind: 'contact',
      subject: { id: 'a', name: null },
      before: { contacts: 1 },
      after: null,
    }) as const;

  test('who was seen meanwhile is not removed, and no receipt says so', async () => {
    await seed(store());
    await store().addContact(contact('a', { seenAt: start }));
    const receipt = receiptOf({ id: 'automation', name: 'Retention' });
    const remove = (unseenSince: number) => store().removeContact('a', [], receipt, unseenSince);
    expect(await remove(start)).toBe(false);
    const receipts = async () => {
      const { items } = await store().settings.audit.list({ tenantId: 'tenant_1', after: null, limit: 9 });
      return items.filter(({ kind }) => kind === 'contact');
    };
    expect(await receipts()).toEqual([]);
    expect(await store().getContact('a')).not.toBeNull();
    expect(await remove(start + 1)).toBe(true);
    expect(await receipts()).toEqual([receipt]);
  });

  test('an erasure is taken over once its time has passed, by one process at a time, and its receipt is stored once', async () => {
    await seed(store());
    await store().addContact(contact('a'));
    await store().addContact(contact('b'));
    expect(await store().claimErasure(60_000)).toBeNull();
    const by = { id: 'member_1', name: 'Mara' };
    await store().beginErasure('a', by, 60_000);
    expect(await store().claimErasure(60_000)).toBeNull();
    await store().beginErasure('a', by, -1);
    const claims = await Promise.all([1, 2].map(() => store().claimErasure(60_000)));
    expect(claims.filter(Boolean)).toEqual([{ contactId: 'a', by }]);
    const receipt = receiptOf(by);
    const removals = await Promise.all([1, 2].map(() => store().removeContact('a', [], receipt)));
    expect(removals.filter(Boolean)).toHaveLength(1);
    const log = await store().settings.audit.list({ tenantId: 'tenant_1', after: null, limit: 9 });
    expect(log.items.filter(({ kind }) => kind === 'contact')).toEqual([receipt]);
    await store().beginErasure('b', null, -1);
    expect(await store().claimErasure(60_000)).toEqual({ contactId: 'b', by: null });
  });

  test('they are listed by when they were seen, of a stage, and by what they are found by', async () => {
    await seed(store());
    const fields = { name: { value: 'Ada\0 Ärmel', by: 'agent' } } as const;
    await store().addContact(contact('a', { fields, seenAt: start + 3 }));
    await store().addContact(contact('b', { stage: 'won', seenAt: start + 2 }));
    await store().addContact(contact('c', { stage: 'gone', said: { city: '50%_off' }, seenAt: start + 1 }));
    expect(await list()).toEqual({ ids: ['a', 'b', 'c'], next: null });
    const unseen = (after: string | null, unseenSince = start + 3) =>
      store().listUnseenContacts({ tenantId: 'tenant_1', unseenSince, after, limit: 1 });
    const longest = await unseen(null);
    expect(longest.items).toEqual(['c']);
    expect(await unseen(longest.next)).toEqual({ items: ['b'], next: null });
    expect(await unseen(null, start + 1)).toEqual({ items: [], next: null });
    const first = await list({ limit: 2 });
    expect(first.ids).toEqual(['a', 'b']);
    expect(await list({ limit: 2, after: first.next })).toEqual({ ids: ['c'], next: null });
    expect((await list({ stage: { is: 'won' } })).ids).toEqual(['b']);
    expect((await list({ stage: { isNot: ['won'] } })).ids).toEqual(['a', 'c']);
    expect((await list({ stage: { isNot: [] } })).ids).toEqual(['a', 'b', 'c']);
    expect((await list({ search: 'ada ä\0rmel' })).ids).toEqual(['a']);
    expect(await store().getContact('a')).toMatchObject({ fields });
    expect((await list({ search: '0%_o' })).ids).toEqual(['c']);
    expect((await list({ search: '%' })).ids).toEqual(['c']);
    // What was looked at was none of them: the next page goes on behind it.
    const looked = await list({ search: 'off', maxLookedAt: 2 });
    expect(looked.ids).toEqual([]);
    expect(await list({ search: 'off', maxLookedAt: 2, after: looked.next })).toEqual({
      ids: ['c'],
      next: null,
    });
    expect((await list({ tenantId: 'tenant_2' })).ids).toEqual([]);
  });

  test('whatever they began is theirs, and nobody else’s', async () => {
    await seed(store());
    const sessions = {
      one: { visitor: 'ada' },
      two: { visitor: 'ada', agentId: 'agent_gone' },
      chat: { interface: 'chat' as const, conversationId: 'c', conversationScope: 'visitor ada' },
      other: { visitor: 'grace' },
      foreign: { visitor: 'ada', tenantId: 'tenant_2', agentId: 'agent_2' },
    };
    for (const [sessionId, change] of Object.entries(sessions))
      await store().enqueue(enqueueRequest({ sessionId, open: { ...opening, ...change } }));
    const theirs = async (after: string | null, limit: number) =>
      store().listSessionsOf(ada, { after, limit });
    const page = await theirs(null, 2);
    const rest = await theirs(page.next, 2);
    expect([...page.items, ...rest.items].toSorted()).toEqual(['chat', 'one', 'two']);
    expect(rest.next).toBeNull();
    await uploaded(store(), { id: 'file_1', visitor: 'ada' });
    await uploaded(store(), { id: 'file_2', visitor: 'grace' });
    expect(await store().listFilesOf(ada, 9)).toEqual(['file_1']);
  });

  test('an appointment keeps its time when nobody is to know whose it was', async () => {
    await seed(store());
    const time = { startsAt: start, endsAt: start + 3_600_000, connectionId: 'connection_1' };
    const whose = {
      name: 'Ada',
      email: 'ada@example.com',
      note: 'Tyres',
      visitor: 'ada',
      conversation: 'digest',
    };
    await store().bookAppointment({ id: 'a', ...time, ...whose }, 1e13);
    expect(await store().listAppointmentsOf(ada, 9)).toMatchObject([whose]);
    const grace = { ...ada, visitor: 'grace' };
    expect(await store().listAppointmentsOf(grace, 9, ['other'])).toEqual([]);
    expect(await store().listAppointmentsOf(grace, 9, ['other', 'digest'])).toMatchObject([whose]);
    const foreign = { ...grace, tenantId: 'tenant_2' };
    expect(await store().listAppointmentsOf(foreign, 9, ['digest'])).toEqual([]);
    expect(await store().eraseAppointmentsOf({ ...ada, tenantId: 'tenant_2' })).toBe(0);
    expect(await store().eraseAppointmentsOf(ada)).toBe(1);
    const erased = {
      ...time,
      name: 'Erased',
      email: null,
      note: null,
      visitor: null,
      conversation: null,
      status: 'booked',
    };
    expect(await store().getAppointment('connection_1', 'a')).toMatchObject(erased);
    expect(await store().listAppointmentsOf(ada, 9)).toEqual([]);
  });
}
