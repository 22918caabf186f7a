import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
import { start } from '../contract/samples.ts';
import { seed } from '../contract/settings.ts';
import { openPostgresStore } from './postgres-store.ts';

/** A contact that another process is about to change, to be seen then, and a removal that waits for that. */
async function overtakenRemoval(unseenSince: number | null) {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const store = await openPostgresStore({ url: database.url });
  onTestFinished(() => store.close());
  await seed(store);
  const person = { tenantId: 'tenant_1', visitor: 'heron', stage: '', fields: {}, said: {} };
  const contact = { id: 'contact_1', ...person, createdAt: start, seenAt: start, revision: 0 };
  const told = (eventId: string) => ({
    id: `delivery of ${eventId}`,
    webhookId: 'webhook_1',
    eventId,
    type: 'contact.changed',
    body: '{"of":"heron"}',
  });
  await store.addContact(contact, [told('added')]);

  // What `changeContact` writes, in a process that is about to commit.
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('BEGIN');
  await other.query(`UPDATE contacts SET revision = 1, seen_at = ${start + 5} WHERE id = 'contact_1'`);
  await other.query(`UPDATE webhook_lanes SET changes = changes + 1 WHERE lane = 'contact_1'`);
  await other.query(`
    INSERT INTO webhook_deliveries (id, webhook_id, lane, event_id, type, body, status, attempts, created_at)
    VALUES ('late', 'webhook_1', 'contact_1', 'changed', 'contact.changed', '{"of":"heron"}', 'waiting', 0, 0)`);
  const removed = store.removeContact('contact_1', [told('erased')], undefined, unseenSince);
  await expect
    .poll(() =>
      database.execute(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    )
    .toHaveLength(1);
  await other.query('COMMIT');
  const log = { webhookId: 'webhook_1', status: null, after: null, limit: 9 };
  return {
    isRemoved: await removed,
    contact: await store.getContact('contact_1'),
    told: (await store.listDeliveries(log)).items.map(({ eventId }) => eventId).toSorted(),
  };
}

test('a contact is removed with what another process stores of it at that moment, in one write', async () => {
  // Nothing has to come after it, which a process that dies here would never do.
  expect(await overtakenRemoval(null)).toEqual({ isRemoved: true, contact: null, told: ['erased'] });
});

test('of a contact that is seen at that moment nothing is removed', async () => {
  expect(await overtakenRemoval(start + 1)).toMatchObject({
    isRemoved: false,
    contact: { seenAt: start + 5 },
    told: ['added', 'changed'],
  });
});
