import type { SessionEvent } from '@parley/protocol/event';
import type { Acceptance, Claim, HistoryEntry, NewEvent, Store } from '../store.ts';

export const start = Date.UTC(2026, 0, 1);

const meta = { at: '2026-01-01T00:00:00.000Z', id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
const step = { sequence: 1, turnId: 'turn_1', stepIndex: 0 };

export function delta(messageDelta: string): NewEvent {
  return newEvent({ type: 'message.appended', data: { ...step, messageDelta }, meta });
}

export const stepStarted: NewEvent = newEvent({ type: 'step.started', data: step, meta });
export const sessionCompleted: NewEvent = newEvent({ type: 'session.completed', meta });

function newEvent(event: SessionEvent): NewEvent {
  return { event, concealed: false, itemId: null };
}

export const opening = {
  tenantId: 'tenant_1',
  agentId: 'agent_1',
  interface: 'sessions',
  conversationId: null,
  visitor: null,
  state: { turns: 0 },
} as const;

/** An acceptance that nothing refuses, by a runner called `runner` for ten seconds. */
export function acceptance(change: Partial<Acceptance> = {}): Acceptance {
  return {
    open: opening,
    sessionId: 'session_1',
    item: { id: 'item_1', body: { text: 'hello' } },
    files: [],
    maxQueued: 10,
    admissions: [],
    quotas: [],
    idempotency: null,
    lease: { owner: 'runner', until: start + 10_000 },
    now: start,
    ...change,
  };
}

/** Opens the session with one queued item, and holds it. */
export async function opened(store: Store, sessionId = 'session_1'): Promise<Claim> {
  const accepted = await store.accept(acceptance({ sessionId }));
  if (accepted.outcome !== 'accepted' || accepted.claim === null) throw new Error(accepted.outcome);
  return accepted.claim;
}

export function texts(events: readonly { readonly event: SessionEvent }[]): string[] {
  return events.map(({ event }) =>
    event.type === 'message.appended' ? event.data.messageDelta : event.type,
  );
}

/** The whole history, or that after a turn, page by page. */
export async function historyOf(
  store: Store,
  sessionId: string,
  afterTurn = -1,
): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  let from: number | null = null;
  do {
    const page = await store.history(sessionId, { afterTurn, from });
    entries.push(...page.entries);
    from = page.next;
  } while (from !== null);
  return entries;
}
