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
  const accepted = await store.enqueue({
    ...(open ? { open } : {}),
    sessionId,
    item: { id: itemId, body },
    ...rest,
    maxQueued,
    lease: runner?.lease ?? null,
  });
  if (accepted.outcome !== 'accepted') return accepted;
  if (runner === null) bus.publish({ topic: 'sessionQueued', sessionId: accepted.sessionId });
  else if (accepted.leased) {
    live.remember(accepted.sessionId, accepted.nextIndex);
    runner.run(accepted.leased, itemId);
  }
  return accepted;
}
