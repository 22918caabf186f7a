import { onTestFinished, expect, test } from 'vitest';
import { logDigest } from '../crypto/log-digest.ts';
import { enqueueRequest, opened, opening, received, start, uploaded } from '../store/contract/samples.ts';
import { seed } from '../store/contract/settings.ts';
import { testStore } from '../testing/test-store.ts';
import { eraseContact } from './erase-contact.ts';
import { erasePerson } from './erase-person.ts';

const heron = { tenantId: 'tenant_1', visitor: 'heron' };

test('what a turn books, uploads and signs in to while its conversation is being removed is erased, too', async () => {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  await seed(store);
  const open = enqueueRequest({ open: { ...opening, visitor: heron.visitor } });
  await store.enqueue(open);
  const early = { startsAt: start - 3_600_000, endsAt: start, connectionId: 'connection_1' };
  const nobody = { name: 'Heron', email: null, note: null, visitor: null };
  const before = { ...early, ...nobody, id: 'early', conversation: logDigest(open.sessionId) };
  await store.bookAppointment(before, 1e13);
  await store.enqueue(enqueueRequest({ sessionId: 'theirs', open: opening }));
  const mail = { sequence: 0, address: 'Heron@example.com', language: 'en', origin: null };
  await store.saveReadyMail('theirs', mail, 60_000);
  let signIns = 1;
  const erased = await erasePerson(
    {
      store,
      async removeSession(id) {
        const time = { startsAt: start, endsAt: start + 3_600_000, connectionId: 'connection_1' };
        const whose = {
          name: 'Heron',
          email: null,
          note: null,
          visitor: heron.visitor,
          conversation: 'theirs',
        };
        await store.bookAppointment({ id: 'late', ...time, ...whose }, 1e13);
        await uploaded(store, { id: 'late', visitor: heron.visitor });
        signIns += 1;
        return store.removeSession(id);
      },
      async signOut() {
        const ended = signIns;
        signIns = 0;
        return ended;
      },
    },
    heron,
    ['heron@example.com'],
  );
  expect(await store.claimReadyMails({ leaseMs: 1, limit: 9, exceptTenants: [] })).toEqual([]);
  expect(erased).toEqual({
    complete: true,
    erased: { conversations: 1, files: 1, appointments: 2, signIns: 2 },
  });
  expect(await store.listAppointmentsOf(heron, 9)).toEqual([]);
  expect(await store.getAppointment('connection_1', 'early')).toMatchObject({ name: 'Erased' });
  expect(await store.listFilesOf(heron, 9)).toEqual([]);
});

test('an erasure whose removal was interrupted is not complete while anything is left of the conversation', async () => {
  const stored = await testStore();
  const store = await stored.open();
  onTestFinished(() => store.close());
  await seed(store);
  const lease = await opened(store);
  await store.commit(lease, { events: [received('a secret')], release: true });
  // As a statement that fails leaves it once the session is hidden.
  await stored.sql(`
    UPDATE sessions SET id = 'removed ' || key, status = 'removed', tenant_id = '', agent_id = '', visitor = NULL,
      owner = NULL`);
  const removeSession = (id: string) => store.removeSession(id);
  const deps = { store, removeSession, signOut: () => Promise.resolve(0) };
  const late = { ...store, finishRemovals: () => store.finishRemovals(-1) };
  expect(await erasePerson({ ...deps, store: late }, heron)).toMatchObject({ complete: false });
  expect(await stored.sql('SELECT data FROM events')).toHaveLength(1);
  expect(await erasePerson(deps, heron)).toMatchObject({ complete: true });
  expect(await stored.sql('SELECT data FROM events')).toEqual([]);
  expect(await stored.sql('SELECT key FROM sessions')).toEqual([]);
});

test('mail to every address that is known of a contact is erased, however it is written down', async () => {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  await seed(store);
  const addresses = ['ada@x.de', 'ada.b@x.de', "o'hara@x.de", 'heron@x.de', 'h@x.de', 'eve@x.de'];
  for (const address of addresses) {
    await store.enqueue(enqueueRequest({ sessionId: address, open: { ...opening, visitor: 'somebody' } }));
    await store.saveReadyMail(address, { sequence: 0, address, language: 'en', origin: null }, 60_000);
  }
  const fields = { email: 'Ada <Ada@x.de>; ada.b@x.de', note: "Write to o'hara@x.de." };
  const contact = {
    id: 'contact_heron',
    ...heron,
    stage: '',
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, { value, by: 'team' as const }]),
    ),
    said: { mail: "[mailto:heron@x.de], 'h@x.de'" },
    revision: 0,
    createdAt: start,
    seenAt: start,
  };
  await eraseContact(
    {
      store,
      contacts: { erase: () => Promise.resolve(true) },
      removeSession: (id) => store.removeSession(id),
      signIns: { forgetVisitor: () => Promise.resolve(0) },
    },
    { kind: 'admin' },
    contact,
  );
  const left = await Promise.all(
    addresses.map((address) => store.eraseReadyMailsTo(heron.tenantId, [address])),
  );
  expect(addresses.filter((_, at) => left[at] === 1)).toEqual(['eve@x.de']);
});
