import type { Bus } from '../bus/bus.ts';
import type { InboxStore } from '../store/inbox-store.ts';

const page = 100;

interface UnassignDeps {
  readonly store: Pick<InboxStore, 'unassignFormerMembers'>;
  readonly bus: Pick<Bus, 'publish'>;
}

/** Lets the team find, among those of nobody, what somebody looked after who is no member any more, or may only look. */
export async function unassignFormerMembers({ store, bus }: UnassignDeps): Promise<void> {
  for (let isMore = true; isMore;) {
    const ids = await store.unassignFormerMembers(page);
    for (const sessionId of ids) bus.publish({ topic: 'threadChanged', sessionId });
    isMore = ids.length > 0;
  }
}
