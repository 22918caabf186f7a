import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
import { start } from '../contract/samples.ts';
import { seed } from '../contract/settings.ts';
import { openPostgresStore } from './postgres-store.ts';

test('a contact is removed with what another process stores of it at that moment, in one write', async () => {
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
  await other.query(`UPDATE contacts SET revision = 1 WHERE id = 'contact_1'`);
  await other.query(`UPDATE webhook_lanes SET changes = changes + 1 WHERE lane = 'contact_1'`);
  await other.query(`
    INSERT INTO webhook_deliveries (id, webhook_id, lane, event_id, type, body, status, attempts, created_at)
    VALUES ('late', 'webhook_1', 'contact_1', 'changed', 'contact.changed', '{"of":"heron"}', 'waiting', 0, 0)`);
  const removed = store.removeContact('contact_1', [told('erased')]);
  await expect
    .poll(() =>
      database.execute(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    )
    .toHaveLength(1);
  await other.query('COMMIT');
  await removed;

  // Nothing has to come after it, which a process that dies here would never do.
  const log = { webhookId: 'webhook_1', status: null, after: null, limit: 9 };
  expect((await store.listDeliveries(log)).items.map(({ eventId }) => eventId)).toEqual(['erased']);
  expect(await store.getContact('contact_1')).toBeNull();
});
