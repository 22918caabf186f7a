import { sql } from 'kysely';
import type { ContactStore } from '../contact-store.ts';
import { auditEntry } from '../create-audit.ts';
import { queueDeliveries } from '../create-webhooks.ts';
import type { QueryEngine } from '../query-engine.ts';

export function prepareContactRemoval(engine: QueryEngine): Pick<ContactStore, 'removeContact'> {
  const { queries, erase } = engine;
  return {
    async removeContact(id, deliveries = [], receipt, unseenSince = null) {
      const rows = await erase(
        sql`
          DELETE FROM contacts WHERE id = ${id} AND (${unseenSince} IS NULL OR seen_at < ${unseenSince}) RETURNING id
        `.compile(queries),
        () => sql`DELETE FROM webhook_deliveries WHERE lane = ${id} AND session IS NULL`,
        ...queueDeliveries(engine, id, deliveries),
        receipt && auditEntry(receipt),
      );
      return rows.length > 0;
    },
  };
}
