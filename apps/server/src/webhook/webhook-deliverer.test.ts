import { expect, test } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { createLogger } from '../logger.ts';
import { UnreadableStateError } from '../session/state/unreadable-state-error.ts';
import { webhookContext } from '../settings/webhook.ts';
import type { DeliveryRecord, Lane } from '../store/webhook-store.ts';
import { WebhookDeliverer } from './webhook-deliverer.ts';

type Deps = ConstructorParameters<typeof WebhookDeliverer>[0];

const lane = (tenantId: string, each: number): Lane => ({
  webhookId: `${tenantId} ${each}`,
  tenantId,
  lane: 'session_1',
  epoch: 1,
  changes: 0,
});

/** Lanes that are due, of which nothing comes but of those of the tenant that is quick. */
function delivererOf(due: Lane[]) {
  const finished: string[] = [];
  const begun: string[] = [];
  const unused = () => expect.unreachable('Nothing is delivered.');
  const store: Deps['store'] = {
    claimLanes({ limit, except }) {
      const claimed: Lane[] = [];
      for (const each of due) {
        const tenantId = each.tenantId ?? '';
        const isFirst = claimed.every((other) => other.tenantId !== tenantId);
        if (isFirst && !except.tenants.includes(tenantId)) claimed.push(each);
      }
      for (const each of claimed.slice(0, limit)) due.splice(due.indexOf(each), 1);
      return Promise.resolve(claimed.slice(0, limit));
    },
    nextDelivery({ tenantId }) {
      begun.push(String(tenantId));
      return tenantId === 'quick' ? Promise.resolve(null) : new Promise(() => undefined);
    },
    finishLane({ webhookId }) {
      finished.push(webhookId);
      return Promise.resolve(true);
    },
    settleDelivery: unused,
    releaseLane: unused,
    eraseDeliveries: unused,
  };
  const deliverer = new WebhookDeliverer({
    store,
    webhooks: { get: unused, update: unused },
    secrets: createSecrets(['s'.repeat(48)]),
    egress: { request: unused },
    approvalLink: unused,
    logger: createLogger('silent'),
  });
  return { begun, finished, deliverer };
}

test('however many tenants are slow, whoever comes next has a place', async () => {
  const slow = Array.from({ length: 12 }, (_, tenant) =>
    Array.from({ length: 8 }, (__, each) => lane(`slow ${tenant}`, each)),
  ).flat();
  const due = [...slow];
  const { begun, finished, deliverer } = delivererOf(due);
  deliverer.wake();
  await expect.poll(() => new Set(begun).size).toBe(12);
  due.push(lane('quick', 1));
  deliverer.wake();
  await expect.poll(() => finished).toEqual(['quick 1']);
});

test('of a conversation that cannot be read a webhook is told without a link', async () => {
  const secrets = createSecrets(['s'.repeat(48)]);
  const record = {
    id: 'crm 1',
    tenantId: 'crm',
    name: 'CRM',
    active: true,
    config: { url: 'https://crm.example/', events: ['approval.asked'], agentIds: null, approvalLinks: true },
    secrets: secrets.encrypt(
      JSON.stringify({ current: `whsec_${'s'.repeat(32)}`, previous: null }),
      webhookContext('crm 1'),
    ),
    state: {},
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const asked = { type: 'approval.asked', data: { sessionId: 'session_1', requestId: 'apr_1' } };
  const waiting = [{ id: 'd', eventId: 'e', attempts: 0, type: asked.type, body: JSON.stringify(asked) }];
  const due = [lane('crm', 1)];
  const unused = () => expect.unreachable('Nothing else is asked for.');
  const sent: string[] = [];
  const deliverer = new WebhookDeliverer({
    store: {
      claimLanes: async () => due.splice(0),
      nextDelivery: async () => (waiting.shift() as DeliveryRecord | undefined) ?? null,
      settleDelivery: async () => true,
      finishLane: async () => true,
      releaseLane: async () => undefined,
      eraseDeliveries: unused,
    },
    webhooks: { get: async () => record, update: async () => record },
    secrets,
    egress: {
      async request({ body }) {
        sent.push(body ?? '');
        const answer = { contentType: '', etag: null, contentSecurityPolicy: null, text: '' } as const;
        return { outcome: 'answer', status: 200, ...answer };
      },
    },
    approvalLink: () => Promise.reject(new UnreadableStateError('not JSON')),
    logger: createLogger('silent'),
  });
  deliverer.wake();
  await expect.poll(() => sent).toEqual([JSON.stringify(asked)]);
  await deliverer.stop();
});
