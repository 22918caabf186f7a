import { asksTeam, asksVisitor } from '../session/input-requests.ts';
import { openTurn, waitingStep } from '../session/state/phase.ts';
import { readState } from '../session/state/read-state.ts';
import type { SessionState } from '../session/state/schema.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';

/** `news`: what the mail says; `none`: there is nothing to write about any more. */
export type ReadyStanding = 'working' | 'none' | ReadyNews;
export type ReadyNews = 'ready' | 'asks' | 'stopped' | 'person';

/** A page that is open has run its functions within this time; later it is taken to be closed. */
const pageMs = 30_000;

/**
 * How what a visitor waits for stands: the turn of this number, and those that go on with it once the team, the page or
 * somebody else has answered.
 */
export async function readyStanding(
  store: Pick<Store, 'turnStatus'>,
  session: SessionRecord,
  sequence: number,
  now: number,
): Promise<ReadyStanding> {
  const state = readState(session);
  // They have given it up.
  if (session.status === 'reset') return 'none';
  if (session.status === 'open') {
    if (state.hold !== null) return 'person';
    const standing = standingOf(state, { sequence, activeAt: session.activeAt }, now);
    if (standing !== null) return standing;
  }
  // What the visitor sent meanwhile began a turn of its own; what was waited for is the one before it.
  const next = openTurn(state)?.sequence ?? state.nextTurn;
  switch (await store.turnStatus(session.id, Math.max(next - 1, sequence))) {
    case 'completed':
      return 'ready';
    case 'failed':
      return 'stopped';
    case 'running':
      return 'working';
    default:
      return 'none';
  }
}

/** The turn that a visitor may wait for now, or null: none is worked on, or it is theirs to answer. */
export function awaitedTurn(session: SessionRecord): number | null {
  if (session.status !== 'open') return null;
  const state = readState(session);
  if (state.hold !== null) return null;
  const turn = openTurn(state);
  if (turn) return waitsForSignIn(state, Date.now()) ? null : turn.sequence;
  const step = waitingStep(state);
  return step?.requests.some(asksTeam) && !step.requests.some(asksVisitor) ? step.sequence : null;
}

/** Null: it is over. */
function standingOf(
  state: SessionState,
  { sequence, activeAt }: { sequence: number; activeAt: number },
  now: number,
): 'working' | 'asks' | null {
  const turn = openTurn(state);
  if (turn) {
    if (turn.sequence !== sequence && turn.wholeFrom > sequence) return null;
    return waitsForSignIn(state, now) ? 'asks' : 'working';
  }
  const step = waitingStep(state);
  if (!step) return null;
  if (step.requests.some(asksVisitor)) return 'asks';
  if (step.requests.some(asksTeam)) return 'working';
  return now - activeAt > pageMs ? 'asks' : 'working';
}

function waitsForSignIn({ phase }: SessionState, now: number): boolean {
  const signIns = phase.type === 'tools' ? (phase.step.signIns ?? []) : [];
  return signIns.some(({ expiresAt }) => expiresAt > now);
}
