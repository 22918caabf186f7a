import { expect, onTestFinished, test, vi } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { createLogger } from '../logger.ts';
import { rotatedSecrets } from '../settings/webhook.ts';
import type { WebhookRecord } from '../store/settings-store.ts';
import type { Lane } from '../store/webhook-store.ts';
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

const now = Date.parse('2026-03-01T04:00:00.000Z');

test.each([
  [429, '120', 120_000],
  [503, new Date(now + 600_000).toUTCString(), 600_000],
  [500, '120', 0],
  [503, 'soon', 0],
])(
  'an event that is answered with %i and a Retry-After of %s waits so long',
  async (status, retryAfter, ms) => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    onTestFinished(() => void vi.useRealTimers());
    const unused = () => expect.unreachable('Nothing else is asked for.');
    const secrets = createSecrets(['s'.repeat(48)]);
    const blank: WebhookRecord = {
      id: 'webhook_1',
      tenantId: 'tenant_1',
      name: 'Webhook',
      active: true,
      config: { url: 'https://shop.example/events', events: ['message'], approvalLinks: false },
      secrets: null,
      state: null,
      createdAt: new Date(now).toISOString(),
    };
    const record = { ...blank, ...rotatedSecrets(blank, secrets).fields };
    const settled: unknown[] = [];
    const deliverer = new WebhookDeliverer({
      store: {
        claimLanes: async () => (settled.length === 0 ? [lane('tenant_1', 1)] : []),
        nextDelivery: async () => ({
          id: 'delivery_1',
          webhookId: 'webhook_1',
          eventId: 'event_1',
          type: 'message',
          body: '{}',
          status: 'waiting',
          attempts: 0,
          createdAt: now,
          attemptedAt: null,
          httpStatus: null,
          durationMs: null,
          response: null,
          problem: null,
        }),
        async settleDelivery(_lane, _id, _result, then) {
          settled.push(then);
          return false;
        },
        finishLane: unused,
        releaseLane: unused,
        eraseDeliveries: unused,
      },
      webhooks: { get: async () => record, update: async () => record },
      secrets,
      egress: {
        request: async () => ({
          outcome: 'answer',
          status,
          contentType: 'text/plain',
          etag: null,
          retryAfter,
          contentSecurityPolicy: null,
          text: '',
        }),
      },
      approvalLink: unused,
      logger: createLogger('silent'),
    });
    deliverer.wake();
    await expect.poll(() => settled).toHaveLength(1);
    await deliverer.stop();
    const [{ dueInMs }] = settled as [{ dueInMs: number }];
    // The pause of its own is 5 s.
    expect(dueInMs - ms).toBeGreaterThanOrEqual(0);
    expect(dueInMs - ms).toBeLessThan(6_000);
  },
);
