import type { WebhookStore } from '../store/webhook-store.ts';

const page = 200;
const webhookPage = 100;

/** Removes all that a webhook was to be told, and the log of what it was told. */
export async function eraseDeliveries(
  store: Pick<WebhookStore, 'eraseDeliveries'>,
  webhookId: string,
): Promise<void> {
  while ((await store.eraseDeliveries(webhookId, page)) === page);
}

/** Does so for webhooks that were deleted while nobody could. */
export async function eraseOfRemovedWebhooks(
  store: Pick<WebhookStore, 'listRemovedWebhooks' | 'eraseDeliveries'>,
): Promise<void> {
  for (let isMore = true; isMore;) {
    const ids = await store.listRemovedWebhooks(webhookPage);
    for (const id of ids) await eraseDeliveries(store, id);
    isMore = ids.length === webhookPage;
  }
}
