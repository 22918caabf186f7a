import { WebhookOutbox } from '../webhook/webhook-outbox.ts';

/** Of a service where nobody has a webhook. */
export const noWebhooks = new WebhookOutbox({ isEmpty: true, listening: () => [] }, () => undefined);
