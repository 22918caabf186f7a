import { expect, test } from 'vitest';
import { createSecrets } from '../crypto/secrets.ts';
import { createLogger } from '../logger.ts';
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
