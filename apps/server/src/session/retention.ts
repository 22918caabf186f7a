import type { Sessions } from './sessions.ts';
import type { Store } from '../store/store.ts';
import { StoreUnavailable } from '../store/store-error.ts';
import { sessionCompleted } from './new-event.ts';

const dayMs = 86_400_000;
const page = 100;

interface RetentionParts {
  readonly store: Store;
  readonly sessions: Sessions;
  /** A session that could not be ended; the others are. */
  readonly onFailure: (error: unknown) => void;
}

/** Ends what nobody has touched for the agent's `retentionDays`; an idle Chat conversation is removed, so that its id begins afresh. */
export async function endIdleSessions(
  parts: RetentionParts,
  agent: { readonly id: string; readonly retentionDays: number },
  now: number,
): Promise<void> {
  await endSessions(parts, agent.id, now - agent.retentionDays * dayMs, 'remove');
}

/** Erases what ended longer than `retentionDays` ago; of agents that are gone, what ended 30 days ago. */
export async function eraseEndedSessions(
  store: Store,
  agent: { readonly id: string | null; readonly retentionDays: number },
  now: number,
): Promise<void> {
  const before = now - agent.retentionDays * dayMs;
  for (;;) {
    const ids = await store.ended({ agentId: agent.id, before, limit: page });
    for (const id of ids) await store.remove(id);
    if (ids.length < page) return;
  }
}

/** Ends every open session of an agent that does not exist any more. */
export async function endSessionsOf(parts: RetentionParts, agentId: string): Promise<void> {
  await endSessions(parts, agentId, Number.MAX_SAFE_INTEGER, 'end');
}

async function endSessions(
  { store, sessions, onFailure }: RetentionParts,
  agentId: string,
  before: number,
  chat: 'remove' | 'end',
): Promise<void> {
  for (;;) {
    const ids = await store.idle({ agentId, before, limit: page });
    let ended = 0;
    for (const id of ids) {
      try {
        const session = await store.session(id);
        const done =
          session?.interface === 'chat' && chat === 'remove'
            ? await store.remove(id)
            : await sessions.end(id, { events: [sessionCompleted()], status: 'completed' });
        if (done) ended += 1;
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        onFailure(error);
      }
    }
    if (ended === 0 || ids.length < page) return;
  }
}
