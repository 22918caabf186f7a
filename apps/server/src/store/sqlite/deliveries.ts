import type { DatabaseSync } from 'node:sqlite';
import type { NewDelivery } from '../webhook-store.ts';

/** What webhooks are to be told of a commit; the lane of a conversation is its id. */
export function prepareDeliveries(
  connection: DatabaseSync,
): (
  session: { readonly key: number; readonly id: string },
  added: readonly NewDelivery[],
  now: number,
) => void {
  const putLane = connection.prepare(`
    INSERT INTO webhook_lanes (webhook_id, lane, due_at, held_until, epoch, changes) VALUES (?, ?, ?, 0, 0, 0)
    ON CONFLICT (webhook_id, lane) DO UPDATE SET changes = changes + 1`);
  const insert = connection.prepare(`
    INSERT INTO webhook_deliveries (id, webhook_id, lane, session, event_id, type, body, status, attempts, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', 0, ?)`);
  return (session, added, now) => {
    for (const { id, webhookId, eventId, type, body } of added) {
      putLane.run(webhookId, session.id, now);
      insert.run(id, webhookId, session.id, session.key, eventId, type, body, now);
    }
  };
}
