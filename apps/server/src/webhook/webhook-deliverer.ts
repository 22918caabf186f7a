import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Secrets } from '../crypto/secrets.ts';
import type { Egress } from '../egress/egress.ts';
import type { Logger } from '../logger.ts';
import { UnreadableRecordError } from '../settings/unreadable-record-error.ts';
import { signingSecrets, webhookOf, webhookState, workingState } from '../settings/webhook.ts';
import type { SettingsStore, WebhookRecord } from '../store/settings-store.ts';
import type { DeliveryAttempt, DeliveryRecord, Lane, WebhookStore } from '../store/webhook-store.ts';
import { type CalledWebhook, callWebhook } from './call-webhook.ts';
import { eraseDeliveries } from './erase-deliveries.ts';
import { pauseAfter, switchOffAfterMs } from './retries.ts';

/** Longer than a call takes. */
const leaseMs = 45_000;
const held = { heldForMs: leaseMs };
/** What another process has queued, and what is due again, is found within this time. */
const sweepMs = 2_000;
/** Conversations that one process delivers at once, and of these those of one tenant and of one webhook. */
const maxLanes = 32;
const maxLanesOfTenant = 6;
const maxLanesOfWebhook = 4;
/** Places for tenants that have none, so that however slow a few others are, a tenant has one when its turn comes. */
const keptLanes = 8;
/** Deliveries of one conversation after which others have their turn. */
const maxInARow = 20;

const notTried: DeliveryAttempt = {
  attemptedAt: null,
  httpStatus: null,
  durationMs: null,
  response: null,
  problem: 'The webhook is switched off.',
};

const askedSchema = z.looseObject({ data: z.looseObject({ sessionId: z.string(), requestId: z.string() }) });

interface DelivererDeps {
  readonly store: Pick<
    WebhookStore,
    'claimLanes' | 'nextDelivery' | 'settleDelivery' | 'releaseLane' | 'finishLane' | 'eraseDeliveries'
  >;
  readonly webhooks: Pick<SettingsStore['webhooks'], 'get' | 'update'>;
  readonly secrets: Secrets;
  readonly egress: Pick<Egress, 'request'>;
  /** What a webhook answers an approval by; null: it cannot. */
  readonly approvalLink: (asked: {
    readonly sessionId: string;
    readonly requestId: string;
    readonly webhookId: string;
    readonly url: string;
  }) => Promise<{ readonly url: string; readonly expiresAt: string } | null>;
  readonly logger: Logger;
  readonly now?: () => number;
}

/**
 * Delivers what waits, conversation by conversation: who has claimed a lane sends its events one after the other, and the
 * next one only when the one before was taken or given up. A process that dies leaves its lanes to the next that looks,
 * which may send one event twice; receivers tell that by its `webhook-id`.
 */
export class WebhookDeliverer {
  readonly #deps: DelivererDeps;
  readonly #stopping = new AbortController();
  /** The lanes that are worked on. */
  readonly #running = new Map<Promise<void>, Lane>();
  #timer: NodeJS.Timeout | null = null;
  #claiming: Promise<void> | null = null;
  #isWanted = false;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), sweepMs);
    this.wake();
  }

  /** Something may be due. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#isWanted = true;
    this.#claiming ??= this.#claim()
      .catch((err: unknown) => this.#deps.logger.warn({ err }, 'webhooks could not be delivered yet'))
      .finally(() => (this.#claiming = null));
  }

  /** Cuts what is being sent; whoever looks next sends it again. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#claiming;
    await Promise.all(this.#running.keys());
  }

  async #claim(): Promise<void> {
    while (this.#isWanted && !this.#stopping.signal.aborted) {
      this.#isWanted = false;
      const running = [...this.#running.values()];
      const free = maxLanes - running.length;
      if (free <= 0) return;
      const isScarce = free <= keptLanes;
      const webhooks = running.map(({ webhookId }) => webhookId);
      const tenants = running.flatMap(({ tenantId }) => tenantId ?? []);
      const except = {
        webhooks: busy(webhooks, maxLanesOfWebhook),
        tenants: busy(tenants, isScarce ? 1 : maxLanesOfTenant),
      };
      const limit = isScarce ? free : free - keptLanes;
      const lanes = await this.#deps.store.claimLanes({ leaseMs, limit, except });
      for (const lane of lanes) this.#begin(lane);
      if (lanes.length > 0) this.#isWanted = true;
    }
  }

  #begin(lane: Lane): void {
    const work = this.#work(lane)
      .catch((err: unknown) => this.#deps.logger.warn({ err }, 'a webhook could not be delivered yet'))
      .finally(() => {
        this.#running.delete(work);
        this.wake();
      });
    this.#running.set(work, lane);
  }

  async #work(lane: Lane): Promise<void> {
    const { store } = this.#deps;
    for (let sent = 0; sent < maxInARow; sent += 1) {
      const delivery = await store.nextDelivery(lane);
      if (delivery === null) {
        if (!(await store.finishLane(lane))) await store.releaseLane(lane, 0);
        return;
      }
      if (!(await this.#deliver(lane, delivery))) return;
    }
    await store.releaseLane(lane, 0);
  }

  /** Whether the lane is still held, and its next delivery may follow. */
  async #deliver(lane: Lane, delivery: DeliveryRecord): Promise<boolean> {
    const { store, webhooks, secrets, egress } = this.#deps;
    const { id, eventId } = delivery;
    const record = await webhooks.get(lane.webhookId);
    if (record === null) {
      await eraseDeliveries(store, lane.webhookId);
      return false;
    }
    if (!record.active) {
      const { attempts } = delivery;
      return store.settleDelivery(lane, id, { ...notTried, status: 'failed', attempts }, held);
    }
    const call = readable(record, secrets);
    if (call === null) {
      await store.releaseLane(lane, leaseMs);
      return false;
    }
    const { body, isLinked } = call.approvalLinks
      ? await this.#withLink({ webhookId: lane.webhookId, url: call.url }, delivery)
      : { body: delivery.body, isLinked: false };
    const called = await callWebhook(egress, { ...call, eventId, body }, this.#stopping.signal);
    if (called === null) {
      await store.releaseLane(lane, 0);
      return false;
    }
    // An answer may repeat what it was sent, and the log is read by everybody in the console.
    return this.#settle(lane, delivery, record, isLinked ? { ...called, response: null } : called);
  }

  /** What is sent, with the link that answers it where it asks for an approval: what is stored has none. */
  async #withLink(
    to: { readonly webhookId: string; readonly url: string },
    { type, body }: Pick<DeliveryRecord, 'type' | 'body'>,
  ): Promise<{ readonly body: string; readonly isLinked: boolean }> {
    const asked = type === 'approval.asked' ? askedSchema.parse(JSON.parse(body)) : null;
    const link = asked && (await this.#deps.approvalLink({ ...asked.data, ...to }));
    if (!asked || !link) return { body, isLinked: false };
    const linked = { ...asked, data: { ...asked.data, approvalLink: link } };
    return { body: JSON.stringify(linked), isLinked: true };
  }

  async #settle(
    lane: Lane,
    delivery: DeliveryRecord,
    record: WebhookRecord,
    called: CalledWebhook,
  ): Promise<boolean> {
    const { isDelivered, isGone, retryAfterMs, ...attempt } = called;
    const isOff = await this.#report(record, delivery, called);
    const attempts = delivery.attempts + 1;
    const pause = isDelivered ? null : pauseAfter(attempts, { askedMs: retryAfterMs });
    // An address that is gone, and no longer the webhook's, is a failure like any other.
    const status = isDelivered ? 'delivered' : pause === null || (isGone && isOff) ? 'failed' : 'waiting';
    const isOver = status !== 'waiting';
    const result = { ...attempt, status, attempts } as const;
    const then = isOver || pause === null ? held : { dueInMs: pause };
    const isHeld = await this.#deps.store.settleDelivery(lane, delivery.id, result, then);
    // Lanes that wait are hurried when the address changes: this one did not wait yet.
    if (isHeld && !isOver && (await this.#hasChanged(record))) await this.#deps.store.releaseLane(lane, 0);
    return isHeld && isOver;
  }

  /** Whether the webhook was changed since it was called. */
  async #hasChanged({ id, config }: WebhookRecord): Promise<boolean> {
    const now = await this.#deps.webhooks.get(id);
    return now !== null && !isDeepStrictEqual(now.config, config);
  }

  /**
   * Notes that a webhook has begun to fail, works again, or has failed for so long, this event among what it did not take,
   * that it is switched off, unless it was changed since it was called. Resolves with whether it is switched off now.
   */
  async #report(
    record: WebhookRecord,
    { createdAt }: Pick<DeliveryRecord, 'createdAt'>,
    { isDelivered, isGone, problem }: CalledWebhook,
  ): Promise<boolean> {
    const { webhooks, logger, now = Date.now } = this.#deps;
    const { state, config } = record;
    const { failingSince } = webhookState(record);
    if (isDelivered) {
      if (failingSince !== null)
        await webhooks.update(record.id, { state: workingState }, undefined, { state, config });
      return false;
    }
    const since = failingSince ?? new Date(now()).toISOString();
    // Where what failed was erased with its conversation, nothing may have been tried since.
    const isLong = now() - Math.max(Date.parse(since), createdAt) >= switchOffAfterMs;
    if (!isGone && !isLong) {
      const failing = { failingSince: since, problem };
      if (failingSince === null)
        await webhooks.update(record.id, { state: failing }, undefined, { state, config });
      return false;
    }
    const why = isGone
      ? 'Switched off, since the address answered 410: nobody is there any more.'
      : `Switched off after three days without a success. The last time: ${problem}`;
    const off = { active: false, state: { failingSince: since, problem: why } };
    const isOff = await webhooks.update(record.id, off, undefined, { active: true, config });
    if (isOff) logger.warn({ webhookId: record.id }, 'a webhook was switched off');
    return isOff !== null || (await webhooks.get(record.id))?.active === false;
  }
}

/** Those that are among them so often. */
const busy = (ids: readonly string[], times: number): readonly string[] =>
  [...new Set(ids)].filter((id) => ids.filter((each) => each === id).length >= times);

/** Null where it cannot be read as it is stored: what waits stays until it can. */
function readable(record: WebhookRecord, secrets: Secrets) {
  try {
    const { id, url, approvalLinks } = webhookOf(record);
    return { id, url, approvalLinks, secrets: signingSecrets(record, secrets) };
  } catch (error) {
    if (error instanceof UnreadableRecordError) return null;
    throw error;
  }
}
