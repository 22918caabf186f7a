import { expect, onTestFinished, test } from 'vitest';
import { enqueueRequest, opening, start } from '../store/contract/samples.ts';
import { seed } from '../store/contract/settings.ts';
import { testService } from '../testing/test-service.ts';
import { testStore } from '../testing/test-store.ts';
import { Contacts } from './contacts.ts';
import { erasureLeaseMs, eraseOnRequest, finishErasures } from './requested-erasures.ts';

test('an erasure that stops before the contact is gone is finished by another process, with one receipt in the name of whoever asked', async () => {
  let at = start;
  const store = await (await testStore()).open(() => at);
  onTestFinished(() => store.close());
  await seed(store);
  const empty = { stage: '', fields: {}, said: {}, createdAt: start, seenAt: start, revision: 0 };
  for (const visitor of ['heron', 'robin'])
    await store.addContact({ id: `contact_${visitor}`, tenantId: 'tenant_1', visitor, ...empty });
  await store.enqueue(enqueueRequest({ open: { ...opening, visitor: 'heron' } }));
  const contacts = new Contacts(store, {
    tellsOfContacts: () => false,
    deliveriesOfContact: () => [],
    queued: () => undefined,
  });
  const warned: object[] = [];
  const deps = {
    store,
    contacts,
    removeSession: (id: string) => store.removeSession(id),
    signIns: { forgetVisitor: () => Promise.resolve(0) },
    logger: { warn: (fields: object) => void warned.push(fields) },
  };
  const killed = { erase: () => Promise.reject(new Error('The process is killed.')) };
  const member = { kind: 'member', id: 'member_1', name: 'Mara' } as const;
  const heron = (await store.getContact('contact_heron'))!;
  const receipts = async () => {
    const log = await store.settings.audit.list({ tenantId: 'tenant_1', after: null, limit: 100 });
    return log.items.filter(({ kind }) => kind === 'contact');
  };
  await expect(eraseOnRequest({ ...deps, contacts: killed }, member, heron)).rejects.toThrow('killed');
  expect(await receipts()).toEqual([]);

  // Whoever was asked may still be at it.
  at += erasureLeaseMs - 1;
  await finishErasures(deps);
  expect(await store.getContact('contact_heron')).not.toBeNull();

  at += 1;
  await finishErasures({ ...deps, contacts: killed });
  expect(warned).toEqual([expect.objectContaining({ contactId: 'contact_heron' })]);
  at += erasureLeaseMs;
  await Promise.all([finishErasures(deps), finishErasures(deps)]);
  expect(await store.getContact('contact_heron')).toBeNull();
  expect(await receipts()).toEqual([
    expect.objectContaining({
      action: 'deleted',
      actor: { id: 'member_1', name: 'Mara' },
      subject: { id: 'contact_heron', name: null },
      before: expect.objectContaining({ contacts: 1 }),
    }),
  ]);
  // Nobody has asked for the others.
  expect(await store.getContact('contact_robin')).not.toBeNull();

  // Of two who erase the same contact, one has removed it.
  const late = await eraseOnRequest(deps, member, heron);
  expect(late).toMatchObject({ complete: true, erased: { contacts: 0 } });
  expect((await receipts())[0]).toMatchObject({ before: { contacts: 0 } });
});

test('a service that starts finishes the erasures that another one has left', async () => {
  const service = await testService();
  const { body: tenant } = await service.settings('POST', '/tenants', { name: 'Shop' });
  // Before there is anything to erase, which its own first sweep would claim and leave.
  await service.stop();
  const columns = 'id, tenant_id, visitor, stage, fields, said, found_by, created_at, seen_at, revision';
  await service.stored.sql(
    `INSERT INTO contacts (${columns}, erasing_by, erasing_until)
    VALUES ('contact_heron', ?, 'heron', '', '{}', '{}', 'heron', 0, 0, 0, 'null', 0)`,
    tenant.id,
  );
  const next = await testService({}, { stored: service.stored });
  await expect.poll(async () => (await next.settings('GET', '/contacts/contact_heron')).status).toBe(404);
});
