import { sql } from 'kysely';
import type { ContactStore } from '../contact-store.ts';
import { queueDeliveries } from '../create-webhooks.ts';
import type { QueryEngine } from '../query-engine.ts';

export function prepareContactRemoval(engine: QueryEngine): Pick<ContactStore, 'removeContact'> {
  const { queries, erase } = engine;
  return {
    async removeContact(id, deliveries = []) {
      await erase(
        sql`DELETE FROM contacts WHERE id = ${id} RETURNING id`.compile(queries),
        () => sql`DELETE FROM webhook_deliveries WHERE lane = ${id} AND session IS NULL`,
        ...queueDeliveries(engine, id, deliveries),
      );
    },
  };
}
