import { defaultPipeline } from '@parley/protocol/settings/pipeline';
import { expect, onTestFinished, test } from 'vitest';
import { enqueueRequest, opening } from '../store/contract/samples.ts';
import { seed } from '../store/contract/settings.ts';
import { dayMs } from '../store/day-ms.ts';
import type { Store } from '../store/store.ts';
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

/** Somebody who was away for long, and their erasure in a store of which a part is replaced. */
async function awayForLong() {
  const now = Date.now();
  let at = now - 31 * dayMs;
  const store = await (await testStore()).open(() => at);
  onTestFinished(() => store.close());
  await seed(store);
  const heron = { id: 'contact_heron', tenantId: 'tenant_1', visitor: 'heron', createdAt: at, seenAt: at };
  await store.addContact({ ...heron, stage: '', fields: {}, said: {}, revision: 0 });
  const open = { ...opening, visitor: 'heron' };
  for (const sessionId of ['session_1', 'session_2'])
    await store.enqueue(enqueueRequest({ sessionId, open, lease: null }));
  at = now;
  await store.settings.tenants.update('tenant_1', { pipeline: { ...defaultPipeline, retentionDays: 30 } });
  const webhooks = { tellsOfContacts: () => false, deliveriesOfContact: () => [], queued: () => undefined };
  const begin = (sessionId: string) => store.enqueue(enqueueRequest({ sessionId, open }));
  return {
    now,
    store,
    begin,
    erase: async (replaced: Partial<Store>) => {
      const patched = { ...store, ...replaced };
      await eraseUnseenContacts(
        {
          store: patched,
          contacts: new Contacts(patched, webhooks),
          removeSession: (...asked) => patched.removeSession(...asked),
          signIns: { forgetVisitor: () => Promise.resolve(0) },
          logger: { warn: (fields: object) => expect.fail(JSON.stringify(fields)) },
        },
        now,
      );
    },
    kept: async () => {
      const entries = await store.settings.audit.list({ tenantId: 'tenant_1', after: null, limit: 9 });
      const sessions = await store.listSessionsOf(heron, { after: null, limit: 9 });
      return {
        contact: (await store.getContact(heron.id)) !== null,
        sessions: sessions.items.toSorted(),
        receipts: entries.items.filter(({ kind }) => kind === 'contact').length,
      };
    },
  };
}

test('who writes while what is theirs is being erased keeps that conversation, and stays', async () => {
  const { store, erase, kept } = await awayForLong();
  let back: string | null = null;
  await erase({
    async removeSession(id, only) {
      if (back === null) {
        // A moment before it goes.
        back = id;
        const { open: _, ...again } = enqueueRequest({
          sessionId: id,
          item: { id: 'item_back', body: {} },
          lease: null,
        });
        expect(await store.enqueue(again)).toMatchObject({ outcome: 'accepted' });
      }
      return store.removeSession(id, only);
    },
  });
  // Of whom nothing was erased, nothing is told.
  expect(await kept()).toEqual({ contact: true, sessions: ['session_1', 'session_2'], receipts: 0 });
  expect(await store.listQueue(back!)).toHaveLength(2);
});

test('who begins a conversation anew meanwhile keeps it, and stays', async () => {
  const { store, erase, kept, begin } = await awayForLong();
  let removed = 0;
  await erase({
    async removeSession(...asked) {
      removed += 1;
      if (removed === 1) await begin('session_new');
      return store.removeSession(...asked);
    },
  });
  expect(await kept()).toEqual({ contact: true, sessions: ['session_new'], receipts: 1 });
});

test('who begins one at the last moment stays, as on Chat, where nobody is noted as seen', async () => {
  const { store, erase, kept, begin } = await awayForLong();
  let begun = false;
  await erase({
    async finishRemovals(ms) {
      if (!begun) await begin('session_new');
      begun = true;
      return store.finishRemovals(ms);
    },
  });
  expect(await kept()).toMatchObject({ contact: true, sessions: ['session_new'] });
});

test('who is seen while the first of their conversations is erased keeps the others', async () => {
  const { store, now, erase, kept } = await awayForLong();
  await erase({
    async removeSession(...asked) {
      await store.noteSeen('contact_heron', now);
      return store.removeSession(...asked);
    },
  });
  expect(await kept()).toMatchObject({ contact: true, sessions: [expect.any(String)] });
});

test('what is to be told of who is seen at the last moment is told', async () => {
  const { store, now, erase, kept } = await awayForLong();
  const told = {
    id: 'd',
    webhookId: 'webhook_1',
    eventId: 'e',
    type: 'contact.changed',
    body: '{}',
  } as const;
  await erase({
    async finishRemovals(ms) {
      const contact = (await store.getContact('contact_heron'))!;
      if (contact.seenAt < now)
        await store.changeContact({ ...contact, said: { name: 'Heron' }, seenAt: now }, [told]);
      return store.finishRemovals(ms);
    },
  });
  expect(await kept()).toMatchObject({ contact: true });
  const log = { webhookId: 'webhook_1', status: null, after: null, limit: 9 };
  expect((await store.listDeliveries(log)).items.map(({ eventId }) => eventId)).toEqual(['e']);
});
