import type { Page } from './page.ts';

/** An event, as one webhook is told of it. */
export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  /** The same for every webhook and every attempt: what a receiver tells repeats by. */
  readonly eventId: string;
  readonly type: string;
  /** JSON, as it is sent. */
  readonly body: string;
}

/** `failed`: given up. */
export type DeliveryStatus = 'waiting' | 'delivered' | 'failed';

/** What came of the last attempt; nulls: there was none, or no answer. */
export interface DeliveryAttempt {
  readonly attemptedAt: number | null;
  readonly httpStatus: number | null;
  readonly durationMs: number | null;
  /** How the answer begins. */
  readonly response: string | null;
  readonly problem: string | null;
}

/** A delivery without its body. */
export interface DeliverySummary extends Omit<NewDelivery, 'body'>, DeliveryAttempt {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

export interface DeliveryRecord extends DeliverySummary, NewDelivery {}

/** What one webhook is told of one conversation, or of one contact, in order. Every claim raises `epoch`; older epochs are refused. */
export interface Lane {
  readonly webhookId: string;
  /** Null: the webhook is gone. */
  readonly tenantId: string | null;
  readonly lane: string;
  readonly epoch: number;
  /** How often something was added to it. */
  readonly changes: number;
}

/** Whether a lane is held on, or free for everybody and due in some time. */
export type LaneAfterwards = { readonly heldForMs: number } | { readonly dueInMs: number };

/** Deliveries are added by the commit that appends what they tell of: both are stored, or neither is. */
export interface WebhookStore {
  /**
   * Lanes with something to deliver that is due, one of each tenant, none of the webhooks and tenants in `except`: those of
   * webhooks that work before those of webhooks that fail, longest due first. Nobody else is given one within `leaseMs`;
   * who has one longer has lost it.
   */
  claimLanes(query: {
    readonly leaseMs: number;
    readonly limit: number;
    readonly except: { readonly webhooks: readonly string[]; readonly tenants: readonly string[] };
  }): Promise<readonly Lane[]>;

  /** The oldest delivery of the lane that waits, or null. */
  nextDelivery(lane: Lane): Promise<DeliveryRecord | null>;

  /** Writes down what came of a delivery. False, writing nothing, when the lane is another's by now. */
  settleDelivery(
    lane: Lane,
    id: string,
    result: DeliveryAttempt & { readonly status: DeliveryStatus; readonly attempts: number },
    then: LaneAfterwards,
  ): Promise<boolean>;

  /** Lets somebody have the lane again in `dueInMs`. */
  releaseLane(lane: Lane, dueInMs: number): Promise<void>;

  /** Forgets a lane in which nothing waits. False when something was added since it was claimed, or it is another's. */
  finishLane(lane: Lane): Promise<boolean>;

  /** Newest first. */
  listDeliveries(query: {
    readonly webhookId: string;
    readonly status: DeliveryStatus | null;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<Page<DeliverySummary>>;

  getDelivery(webhookId: string, id: string): Promise<DeliveryRecord | null>;

  /**
   * Has deliveries that are over made once more, in their order, and those that wait for their next attempt made now, with
   * what stands before them. The number of them that were over.
   */
  replayDeliveries(webhookId: string, ids: readonly string[]): Promise<number>;

  /** Has `limit` lanes at most of a webhook that wait for their next attempt due now. The number of them. */
  hurryLanes(webhookId: string, limit: number): Promise<number>;

  /** Ids of what was given up since then, oldest first. */
  listFailed(query: {
    readonly webhookId: string;
    readonly since: number;
    readonly limit: number;
  }): Promise<readonly string[]>;

  /** Removes `limit` deliveries at most that are over and older than this. The number of them. */
  expireDeliveries(query: { readonly olderThanMs: number; readonly limit: number }): Promise<number>;

  /** Removes `limit` deliveries at most of a lane that is no session’s. The number of them. */
  eraseLane(lane: string, limit: number): Promise<number>;

  /** Ids of webhooks that are gone, and of which deliveries or lanes are left: `limit` at most. */
  listRemovedWebhooks(limit: number): Promise<readonly string[]>;

  /** Removes `limit` deliveries of a webhook at most, and as many lanes. The number of whichever were more. */
  eraseDeliveries(webhookId: string, limit: number): Promise<number>;
}
