import { defaultPipeline } from '@parley/protocol/settings/pipeline';
import { expect, onTestFinished, test } from 'vitest';
import { enqueueRequest, opening } from '../store/contract/samples.ts';
import { seed } from '../store/contract/settings.ts';
import { dayMs } from '../store/day-ms.ts';
import { testStore } from '../testing/test-store.ts';
import { Contacts } from './contacts.ts';
import { eraseUnseenContacts } from './erase-unseen-contacts.ts';

test('contacts that nobody has spoken with for as long as their tenant keeps them are erased, each by one process, with a receipt', async () => {
  const now = Date.now();
  let at = now - 31 * dayMs;
  const store = await (await testStore()).open(() => at);
  onTestFinished(() => store.close());
  await seed(store);
  const met = async (visitor: string, days: number) => {
    const seenAt = now - days * dayMs;
    const empty = { stage: '', fields: {}, said: {}, revision: 0 };
    const contact = { id: `contact_${visitor}`, tenantId: 'tenant_1', visitor, createdAt: seenAt, seenAt };
    await store.addContact({ ...contact, ...empty });
  };
  await met('recent', 29);
  for (let each = 0; each < 3; each += 1) await met(`away-${each}`, 31);
  await store.enqueue(enqueueRequest({ open: { ...opening, visitor: 'away-2' } }));
  // On Chat nobody is noted as seen.
  at = now;
  await met('chatting', 31);
  const chat = { ...opening, interface: 'chat', visitor: 'chatting' } as const;
  await store.enqueue(enqueueRequest({ sessionId: 'session_2', open: chat }));
  const webhooks = { tellsOfContacts: () => false, deliveriesOfContact: () => [], queued: () => undefined };
  const warned: object[] = [];
  const deps = {
    store,
    contacts: new Contacts(store, webhooks),
    removeSession: (id: string) => store.removeSession(id),
    signIns: {
      forgetVisitor: ({ visitor }: { visitor: string }) =>
        visitor === 'stuck' ? Promise.reject(new Error('It is stuck.')) : Promise.resolve(0),
    },
    logger: { warn: (fields: object) => void warned.push(fields) },
  };
  // The first of all: whatever goes wrong with one keeps none of the others.
  await met('stuck', 40);
  const left = async () => {
    const all = {
      tenantId: 'tenant_1',
      stage: null,
      search: null,
      after: null,
      limit: 100,
      maxLookedAt: 100,
    };
    return (await store.listContacts(all)).items.map(({ visitor }) => visitor);
  };
  await eraseUnseenContacts(deps, now);
  expect(await left()).toHaveLength(6);

  await store.settings.tenants.update('tenant_1', { pipeline: { ...defaultPipeline, retentionDays: 30 } });
  await Promise.all([eraseUnseenContacts(deps, now), eraseUnseenContacts(deps, now)]);
  expect(await left()).toEqual(['chatting', 'recent', 'stuck']);
  expect(warned).toEqual([expect.objectContaining({ contactId: 'contact_stuck', tenantId: 'tenant_1' })]);
  expect(await store.getSession('session_1')).toBeNull();
  const log = await store.settings.audit.list({ tenantId: 'tenant_1', after: null, limit: 100 });
  const receipts = log.items.filter(({ kind }) => kind === 'contact');
  expect(new Set(receipts.map(({ subject }) => subject.id)).size).toBe(3);
  expect(receipts).toHaveLength(3);
  expect(receipts).toContainEqual(
    expect.objectContaining({
      actor: { id: 'automation', name: 'Retention' },
      subject: { id: 'contact_away-2', name: null },
      before: { conversations: 1, files: 0, appointments: 0, signIns: 0, contacts: 1 },
    }),
  );
});
