import type { EventDataByType } from '@parley/protocol/event';
import { isOpen } from '../session/input-requests.ts';
import { type Call, type PendingRequest, waitingStep } from '../session/state/phase.ts';
import { readState } from '../session/state/read-state.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import type { ApprovalLink } from './approval-link.ts';

/** How an approval stands that somebody was written to about. */
export type ApprovalStanding =
  | {
      readonly kind: 'waiting';
      readonly session: SessionRecord;
      readonly pending: PendingRequest;
      readonly call: Call;
    }
  | { readonly kind: 'answered'; readonly answer: EventDataByType['input.answered']; readonly at: string }
  /** It is asked with other arguments now, or its tool does something else. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'expired' }
  /** The conversation is over, or goes on without it. */
  | { readonly kind: 'gone' };

/** Without a fingerprint: whatever the arguments are now. */
type AskedAbout = Pick<ApprovalLink, 'sessionId' | 'requestId' | 'expiresAt'> & {
  readonly fingerprint: string | null;
};

/** Requests are looked for in so many pages of the log's `input.requested` events, newest first. */
const maxPages = 16;
const requestPage = 8;
/** Events after a request among which its answer is looked for. */
const maxEvents = 2_000;
const eventPage = 200;

export async function approvalStanding(
  store: Pick<Store, 'getSession' | 'listInputRequests' | 'readEvents'>,
  { sessionId, requestId, fingerprint, expiresAt }: AskedAbout,
  now: number,
): Promise<ApprovalStanding> {
  const session = await store.getSession(sessionId);
  if (session === null) return { kind: 'gone' };
  const state = session.status === 'open' ? readState(session) : null;
  const waiting = state && waitingStep(state);
  const pending = waiting?.requests.find(({ request }) => request.requestId === requestId);
  if (waiting && pending && pending.response === null) {
    if (now >= expiresAt || !isOpen(pending, now)) return { kind: 'expired' };
    const call = waiting.calls.find(({ callId }) => callId === pending.request.action.callId);
    if (!call || (fingerprint !== null && call.fingerprint !== fingerprint)) return { kind: 'changed' };
    return { kind: 'waiting', session, pending, call };
  }
  return outcomeOf(store, session, requestId);
}

async function outcomeOf(
  store: Pick<Store, 'listInputRequests' | 'readEvents'>,
  { id, nextIndex }: SessionRecord,
  requestId: string,
): Promise<ApprovalStanding> {
  const asked = await askedAt(store, id, nextIndex, requestId);
  if (asked === null) return { kind: 'gone' };
  let from = asked;
  for (let read = 0; read < maxEvents; read += eventPage) {
    const { events, next } = await store.readEvents(id, from, eventPage);
    for (const { event } of events) {
      if (!('data' in event) || !('requestId' in event.data) || event.data.requestId !== requestId) continue;
      if (event.type === 'input.answered') return { kind: 'answered', answer: event.data, at: event.meta.at };
      if (event.type === 'input.expired') return { kind: 'expired' };
      if (event.type === 'action.amended') return { kind: 'changed' };
    }
    if (next === null) break;
    from = next;
  }
  return { kind: 'gone' };
}

/** Where in the log it was asked; null where that is not found. */
async function askedAt(
  store: Pick<Store, 'listInputRequests'>,
  sessionId: string,
  end: number,
  requestId: string,
): Promise<number | null> {
  let before = end;
  for (let page = 0; page < maxPages; page += 1) {
    const found = await store.listInputRequests(sessionId, before, requestPage);
    for (const { event, index } of found) {
      before = index;
      if (
        event.type === 'input.requested' &&
        event.data.requests.some((each) => each.requestId === requestId)
      )
        return index;
    }
    if (found.length < requestPage) break;
  }
  return null;
}
