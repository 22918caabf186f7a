import type { WebhookStore } from '../store/webhook-store.ts';

const page = 500;
/** An attempt that fails meanwhile waits anew, so that asking until none waits may never end. */
const maxPages = 100;

/** Has what a webhook waits to be told told now, where its address was another one or it was off. */
export async function hurryLanes(
  store: Pick<WebhookStore, 'hurryLanes'>,
  webhookId: string,
  queued: () => void,
): Promise<void> {
  for (let pages = 0; pages < maxPages; pages += 1) {
    const hurried = await store.hurryLanes(webhookId, page);
    queued();
    if (hurried < page) return;
  }
}
