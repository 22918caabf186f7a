import type { SessionEvent } from '@parley/protocol/event';
import type { EventStore, NewEvent, StoredEvent } from '../event-store.ts';
import type { NewFile } from '../file-store.ts';
import type { HistoryEntry } from '../history-store.ts';
import type { Lease } from '../lease-store.ts';
import type { EnqueueRequest, FileBinding } from '../queue-store.ts';
import type { Store } from '../store.ts';
import type { TurnStart } from '../turn-store.ts';

export const start = Date.UTC(2026, 0, 1);
/** Of every lease that a test takes unless it says otherwise. */
export const leaseMs = 10_000;

/** The time of a store under test; a test moves it as it likes. */
export interface TestClock {
  now: number;
}

const meta = { at: '2026-01-01T00:00:00.000Z', id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
const step = { sequence: 1, turnId: 'turn_1', stepIndex: 0 };

export function delta(messageDelta: string): NewEvent {
  return newEvent({ type: 'message.appended', data: { ...step, messageDelta }, meta });
}

export function inputRequested(requestId: string): NewEvent {
  const action = { kind: 'tool-call' as const, callId: requestId, toolName: 'ask_question', input: {} };
  const request = { requestId, kind: 'question' as const, prompt: 'Which?', action };
  return newEvent({ type: 'input.requested', data: { ...step, requests: [request] }, meta });
}

export const stepStarted: NewEvent = newEvent({ type: 'step.started', data: step, meta });
export const sessionCompleted: NewEvent = newEvent({ type: 'session.completed', meta });

/** The event that a turn begins with, `sequence` milliseconds after `start`. */
export function turnStarted(sequence: number, change: Partial<TurnStart> = {}): NewEvent {
  return {
    ...newEvent({ type: 'turn.started', data: { sequence, turnId: `turn_${sequence}` }, meta }),
    itemId: `item_${sequence}`,
    turn: {
      sequence,
      author: 'visitor',
      configuration: 'c1',
      modelId: 'scripted',
      startedAt: start + sequence,
      ...change,
    },
  };
}

function newEvent(event: SessionEvent): NewEvent {
  return { event, concealed: false, itemId: null };
}

export const opening = {
  tenantId: 'tenant_1',
  agentId: 'agent_1',
  interface: 'sessions',
  conversationId: null,
  conversationScope: null,
  visitor: null,
  state: { turns: 0 },
} as const;

/** An acceptance that nothing rejects, by a runner called `runner`. */
export function enqueueRequest(change: Partial<EnqueueRequest> = {}): EnqueueRequest {
  return {
    open: opening,
    sessionId: 'session_1',
    item: { id: 'item_1', body: { text: 'hello' } },
    files: null,
    maxQueued: 10,
    rateLimits: [],
    quotas: [],
    idempotency: null,
    lease: { owner: 'runner', leaseMs },
    ...change,
  };
}

/** Opens the session with one queued item, and holds it. */
export async function opened(store: Store, sessionId = 'session_1'): Promise<Lease> {
  const accepted = await store.enqueue(enqueueRequest({ sessionId }));
  if (accepted.outcome !== 'accepted' || accepted.leased === null) throw new Error(accepted.outcome);
  return accepted.leased.lease;
}

export function texts(events: readonly { readonly event: SessionEvent }[]): string[] {
  return events.map(({ event }) =>
    event.type === 'message.appended' ? event.data.messageDelta : event.type,
  );
}

/** The whole log from index `from` on, page by page. */
export async function logOf(
  store: Pick<EventStore, 'readEvents'>,
  sessionId: string,
  from = 0,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (let next: number | null = from; next !== null;) {
    const page = await store.readEvents(sessionId, next, 1_000);
    events.push(...page.events);
    next = page.next;
  }
  return events;
}

export const textFile: NewFile = {
  id: 'file_1',
  tenantId: opening.tenantId,
  agentId: opening.agentId,
  visitor: null,
  mediaType: 'text/plain',
  filename: 'a.txt',
};

/** A complete file with these chunks, good for an hour. */
export async function uploaded(
  { files }: Store,
  change: Partial<NewFile> = {},
  chunks: readonly Uint8Array[] = [new Uint8Array([0, 1, 255])],
): Promise<void> {
  const file = { ...textFile, ...change };
  await files.begin(file, { quotas: [], ttlMs: 3_600_000 });
  for (const chunk of chunks) await files.append(file.id, chunk, { quotas: [] });
  await files.complete(file.id, { ttlMs: 3_600_000 });
}

export function naming(...ids: string[]): FileBinding {
  return { ids, visitor: null, maxSessionBytes: 1_000_000_000, again: false };
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
    const page = await store.readHistory(sessionId, { afterTurn, from });
    entries.push(...page.entries);
    from = page.next;
  } while (from !== null);
  return entries;
}

export function received(message: string): NewEvent {
  const turn = { sequence: 0, turnId: 'turn_0' };
  const meta = { at: '2026-01-01T00:00:00.000Z', id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
  const data = { ...turn, message, parts: [{ type: 'text' as const, text: message }] };
  return { event: { type: 'message.received', data, meta }, concealed: false, itemId: null };
}

/** Ends two conversations in which a member is asked something: with a commit, and with nobody who runs it. */
export async function endWhileAsked(store: Store, memberId: string): Promise<void> {
  const asked = { events: [], thread: { holder: null, isWaiting: true, askedOf: [memberId] } };
  const committed = await opened(store, 'committed');
  await store.commit(committed, asked);
  await store.commit(committed, { events: [], status: 'completed' });
  const idle = await opened(store, 'idle');
  await store.commit(idle, { ...asked, consume: [0], release: true });
  await store.endSession('idle', { events: [], status: 'completed' });
}

/** What engines have of that, of which a store tells nobody. */
export const askedInWhatEnded = `
  SELECT CAST(count(*) AS integer) AS ended, CAST(count(asked_of_id) AS integer) AS asked,
    CAST((SELECT count(*) FROM thread_delegates) AS integer) AS delegates
  FROM threads JOIN sessions ON key = session WHERE status = 'completed'`;
