import type { Bus } from '../bus/bus.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { EnqueueRequest, EnqueueResult, QueueStore } from '../store/queue-store.ts';
import type { QueueItemBody } from './queue-item.ts';
import type { TurnRunner } from './turn-runner.ts';

const usuallyQueued = 10;

export interface EnqueueDeps {
  readonly store: Pick<QueueStore, 'enqueue'>;
  /** Null: other processes run the turns. */
  readonly runner: TurnRunner | null;
  readonly bus: Bus;
  readonly live: EventBus;
}

/** Queues an item, and has whoever runs turns work on it. */
export async function enqueueItem(
  { store, runner, bus, live }: EnqueueDeps,
  sessionId: string,
  open: EnqueueRequest['open'],
  itemId: string,
  body: QueueItemBody,
  {
    maxQueued = usuallyQueued,
    ...rest
  }: Pick<EnqueueRequest, 'visitor' | 'files' | 'rateLimits' | 'quotas' | 'reservation' | 'idempotency'> &
    Partial<Pick<EnqueueRequest, 'maxQueued'>>,
): Promise<EnqueueResult> {
  const stored: Promise<EnqueueResult> = store.enqueue({
    ...(open ? { open } : {}),
    sessionId,
    item: { id: itemId, body },
    ...rest,
    maxQueued,
    lease: runner?.lease ?? null,
    onLeased(leased) {
      live.remember(leased.session.id, leased.session.nextIndex);
      runner?.run(leased, { itemId, stored });
    },
  });
  const accepted = await stored;
  if (runner === null && accepted.outcome === 'accepted')
    bus.publish({ topic: 'sessionQueued', sessionId: accepted.sessionId });
  return accepted;
}
