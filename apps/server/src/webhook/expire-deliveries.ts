import { dayMs } from '../store/day-ms.ts';
import type { WebhookStore } from '../store/webhook-store.ts';

/** How long the log knows what was delivered or given up. */
const keptDays = 14;
const page = 200;

export async function expireDeliveries(store: Pick<WebhookStore, 'expireDeliveries'>): Promise<void> {
  while ((await store.expireDeliveries({ olderThanMs: keptDays * dayMs, limit: page })) === page);
}
