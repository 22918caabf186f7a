import { sql } from 'kysely';
import type { ContactStore } from '../contact-store.ts';
import { auditEntry } from '../create-audit.ts';
import { queueDeliveries } from '../create-webhooks.ts';
import type { QueryEngine } from '../query-engine.ts';
import { sqlFunction } from './sql-function.ts';

/**
 * Locks a contact and removes what webhooks were told of it. A statement does not see what another process stores while
 * its row is waited for; each statement of a function does.
 */
export const forgetToldFunction = sqlFunction(
  'forget_told',
  `CREATE FUNCTION $name(p_contact text, p_unseen_since bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM FROM contacts
    WHERE id = p_contact AND (p_unseen_since IS NULL OR seen_at < p_unseen_since) FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    -- In the order in which deliveries are settled: first the lane, then what is in it.
    PERFORM FROM webhook_lanes
    WHERE lane = p_contact
      AND webhook_id IN (SELECT webhook_id FROM webhook_deliveries WHERE lane = p_contact AND session IS NULL)
    ORDER BY webhook_id FOR UPDATE;
    DELETE FROM webhook_deliveries WHERE lane = p_contact AND session IS NULL;
    RETURN true;
  END $$`,
);

export function prepareContactRemoval(engine: QueryEngine): Pick<ContactStore, 'removeContact'> {
  const { queries, erase } = engine;
  return {
    async removeContact(id, deliveries = [], receipt, unseenSince = null) {
      const removal = sql`
        DELETE FROM contacts WHERE id = ${id} AND ${sql.ref(forgetToldFunction.name)}(id, ${unseenSince}::bigint) RETURNING id`;
      const rows = await erase(
        removal.compile(queries),
        ...queueDeliveries(engine, id, deliveries),
        receipt && auditEntry(receipt),
      );
      return rows.length > 0;
    },
  };
}
