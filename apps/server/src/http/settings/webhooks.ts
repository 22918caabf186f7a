import type { Delivery, DeliveryDetail, WebhookTestView } from '@parley/protocol/settings/webhook';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import type { Secrets } from '../../crypto/secrets.ts';
import type { Egress } from '../../egress/egress.ts';
import { createEventId } from '../../events/event-id.ts';
import { changeRecord } from '../../settings/audit.ts';
import { readable } from '../../settings/readable.ts';
import type { Resource } from '../../settings/resource.ts';
import { conflict, notFound } from '../../settings/settings-error.ts';
import { rotatedSecrets, signingSecrets, webhookOf, webhookView } from '../../settings/webhook.ts';
import type { AuditStore } from '../../store/audit-store.ts';
import type { WebhookRecord } from '../../store/settings-store.ts';
import type { DeliverySummary, WebhookStore } from '../../store/webhook-store.ts';
import { callWebhook } from '../../webhook/call-webhook.ts';
import { goneSignal } from '../gone-signal.ts';
import type { Handlers } from '../handlers.ts';
import type { Trials } from './trials.ts';

/** Deliveries that one request has sent again, page by page. */
const maxReplayed = 1_000;
const replayPage = 200;

type WebhookRoute =
  | 'rotateWebhookSecret'
  | 'testWebhook'
  | 'listDeliveries'
  | 'readDelivery'
  | 'replayDelivery'
  | 'replayFailedDeliveries';

interface WebhookHandlersDeps {
  readonly webhooks: Pick<Resource<WebhookRecord, never, never, object>, 'find' | 'change'>;
  readonly store: WebhookStore;
  readonly secrets: Secrets;
  readonly egress: Pick<Egress, 'request'>;
  readonly trials: Trials;
  readonly audit: Pick<AuditStore, 'record'>;
  /** Something waits to be delivered. */
  readonly queued: () => void;
}

/** The secret of a webhook, a test of it, and the log of its deliveries. */
export function webhookHandlers({
  webhooks,
  store,
  secrets,
  egress,
  trials,
  audit,
  queued,
}: WebhookHandlersDeps): Handlers<WebhookRoute> {
  async function detail(webhookId: string, id: string): Promise<DeliveryDetail> {
    const record = await store.getDelivery(webhookId, id);
    if (record === null) throw notFound();
    const { body, ...summary } = record;
    return { ...deliveryView(summary), body };
  }

  /** What is sent again reaches out of the service as a trial does, and is counted with them. */
  async function countReplay(principal: SettingsPrincipal, id: string): Promise<WebhookRecord> {
    const record = await webhooks.find(principal, id);
    if (!record.active) throw conflict('The webhook is switched off. Switch it on first.');
    await trials.count(principal);
    return record;
  }

  const recordReplay = (
    principal: SettingsPrincipal,
    { id, name, tenantId }: WebhookRecord,
    replayed: object,
  ): Promise<void> =>
    audit.record(
      changeRecord(principal, {
        tenantId,
        action: 'updated',
        kind: 'deliveries',
        subject: { id, name },
        before: null,
        after: replayed,
      }),
    );

  return {
    async rotateWebhookSecret({ response, principal, id }) {
      let shown = '';
      const record = await webhooks.change(principal, id, async (before) => {
        const { secret, fields } = rotatedSecrets(before, secrets);
        shown = secret;
        return fields;
      });
      response.json(webhookView(record, secrets, shown));
    },

    async testWebhook({ response, principal, id }) {
      const record = await webhooks.find(principal, id);
      const { url, name, tenantId } = await readable(() => webhookOf(record));
      const signing = await readable(() => signingSecrets(record, secrets));
      await trials.count(principal);
      const now = Date.now();
      const timestamp = new Date(now).toISOString();
      const body = JSON.stringify({ type: 'test', timestamp, data: { webhookId: id } });
      const call = { id: `${id} test`, url, secrets: signing, eventId: createEventId(now), body };
      const called = await callWebhook(egress, call, goneSignal(response));
      if (called === null) return;
      const { isDelivered, httpStatus, durationMs, response: answered, problem } = called;
      const status = isDelivered ? 'delivered' : 'failed';
      const found = { outcome: status, ...(httpStatus !== null && { answered: httpStatus }) };
      await trials.record(principal, { tenantId, kind: 'webhook', subject: { id, name }, found });
      const view: WebhookTestView = { status, httpStatus, durationMs, response: answered, problem };
      response.json(view);
    },

    async listDeliveries({ response, principal, id, query: { status = null, cursor = null, limit } }) {
      await webhooks.find(principal, id);
      const { items, next } = await store.listDeliveries({ webhookId: id, status, after: cursor, limit });
      response.json({ items: items.map(deliveryView), next });
    },

    async readDelivery({ request, response, principal, id }) {
      await webhooks.find(principal, id);
      response.json(await detail(id, String(request.params['delivery'])));
    },

    async replayDelivery({ request, response, principal, id }) {
      const record = await countReplay(principal, id);
      const deliveryId = String(request.params['delivery']);
      await detail(id, deliveryId);
      await recordReplay(principal, record, { replayed: deliveryId });
      await store.replayDeliveries(id, [deliveryId]);
      const view = await detail(id, deliveryId);
      queued();
      response.json(view);
    },

    async replayFailedDeliveries({ response, principal, id, body }) {
      const record = await countReplay(principal, id);
      const since = Date.parse(body.since);
      await recordReplay(principal, record, { replayed: 'what failed', since: body.since });
      let replayed = 0;
      let more = true;
      while (more && replayed < maxReplayed) {
        const ids = await store.listFailed({ webhookId: id, since, limit: replayPage });
        replayed += await store.replayDeliveries(id, ids);
        more = ids.length === replayPage;
      }
      queued();
      response.json({ replayed, more });
    },
  };
}

function deliveryView({ createdAt, attemptedAt, ...record }: DeliverySummary): Delivery {
  return {
    ...record,
    createdAt: new Date(createdAt).toISOString(),
    attemptedAt: attemptedAt === null ? null : new Date(attemptedAt).toISOString(),
  };
}
