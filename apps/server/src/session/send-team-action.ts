import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import { type EnqueueDeps, enqueueItem } from './enqueue-item.ts';
import type { TeamAction, TeamMember } from './queue-item.ts';
import { type Repeatable, idempotencyKey } from './repeatable.ts';
import type { NamedTurn } from './session-command.ts';
import { openTurn } from './state/phase.ts';
import { readState } from './state/read-state.ts';
import type { Hold, SessionState } from './state/schema.ts';

/** Visitors fill a queue with 10: what the team does has room behind them. */
const maxQueued = 30;
/** A dead owner's lease runs out after 5 s, and is noticed within another second. */
const waitMs = 8_000;
/** How often it is looked up when nobody says that something was appended. */
const pollMs = 250;
const page = 200;

export type TeamActionResult =
  | { readonly outcome: 'done' }
  /** Another member answers, or nobody does; null: the agent. */
  | { readonly outcome: 'refused'; readonly holder: TeamMember | null }
  /** It was refused for what is not so any more. */
  | { readonly outcome: 'overtaken' }
  /** Accepted, and not done within 8 s. */
  | { readonly outcome: 'pending' }
  | { readonly outcome: 'full' }
  /** The same id was sent with something else. */
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'ended' };

interface TeamActionDeps extends EnqueueDeps {
  readonly store: Store;
  readonly cancel: (sessionId: string, named: NamedTurn) => Promise<unknown>;
}

/** What became of an accepted action, as far as it is known. */
interface Awaited {
  readonly sessionId: string;
  readonly itemId: string;
  readonly action: TeamAction;
  /** Where in the log its event is looked for. */
  from: number;
  /** Turns that were asked to end for it. */
  readonly cancelled: Set<string>;
}

/**
 * Queues what a member does and tells what became of it, whatever process holds the session: the log has the event of an
 * action that was done, and whoever holds the conversation says why another was not. A turn that runs when somebody
 * takes over is cancelled; should this process die before it asks for that, the turn ends first.
 */
export async function sendTeamAction(
  deps: TeamActionDeps,
  { id: sessionId, nextIndex }: { readonly id: string; readonly nextIndex: number },
  action: TeamAction,
  repeatable: Repeatable | null = null,
): Promise<TeamActionResult> {
  let proceed = () => {};
  const unsubscribe = deps.bus.subscribeSession(sessionId, () => proceed());
  try {
    const own = randomUUID();
    const accepted = await enqueueItem(deps, sessionId, undefined, own, action, {
      files: null,
      rateLimits: [],
      quotas: [],
      idempotency: repeatable && idempotencyKey(repeatable, { sessionId, itemId: own, nextIndex }),
      maxQueued,
    });
    if (accepted.outcome === 'full' || accepted.outcome === 'conflict') return accepted;
    if (accepted.outcome !== 'accepted' && accepted.outcome !== 'repeated') return { outcome: 'ended' };
    // A turn may go on for long before its model is asked again.
    if (action.kind === 'whisper') return { outcome: 'done' };
    const first = accepted.outcome === 'repeated' ? (accepted.result as Repeated) : null;
    const awaited: Awaited = {
      sessionId,
      itemId: first?.itemId ?? own,
      action,
      from: first?.nextIndex ?? (accepted.outcome === 'accepted' ? accepted.nextIndex : nextIndex),
      cancelled: new Set(),
    };
    for (const until = performance.now() + waitMs; performance.now() < until;) {
      const appended = new Promise<void>((resolve) => (proceed = resolve));
      const result = await outcomeOf(deps, awaited);
      if (result) return result;
      const left = Math.max(until - performance.now(), 0);
      await Promise.race([appended, sleep(Math.min(pollMs, left), undefined, { ref: false })]);
    }
    return { outcome: 'pending' };
  } finally {
    unsubscribe();
  }
}

interface Repeated {
  readonly itemId: string;
  readonly nextIndex: number;
}

/** Null while it waits. */
async function outcomeOf(deps: TeamActionDeps, awaited: Awaited): Promise<TeamActionResult | null> {
  const { store, cancel } = deps;
  const { sessionId, itemId, action, cancelled } = awaited;
  // Read before the log: what is gone from the queue has left its event there, or none.
  const isQueued = await store.isQueued(sessionId, itemId);
  if (await isInLog(store, awaited)) return { outcome: 'done' };
  const session = await store.getSession(sessionId);
  if (session?.status !== 'open') return { outcome: 'ended' };
  const state = readState(session);
  if (!isQueued)
    return isRefused(state, action)
      ? { outcome: 'refused', holder: state.hold?.member ?? null }
      : { outcome: 'overtaken' };
  const turn = openTurn(state);
  if (action.kind !== 'take-over' || !turn) return null;
  const turnId = `turn_${turn.sequence}`;
  if (cancelled.has(turnId)) return null;
  cancelled.add(turnId);
  await cancel(sessionId, { turnId });
  return null;
}

async function isInLog(store: Store, awaited: Awaited): Promise<boolean> {
  for (;;) {
    const { events, next } = await store.readEvents(awaited.sessionId, awaited.from, page);
    if (events.some(({ itemId }) => itemId === awaited.itemId)) return true;
    awaited.from += events.length;
    if (next === null) return false;
  }
}

function isRefused({ hold, mode }: SessionState, action: TeamAction): boolean {
  switch (action.kind) {
    case 'whisper':
    case 'answer-approval':
      return false;
    case 'take-over':
      return hold !== null || mode === 'task';
    case 'team-message':
      return action.answers === undefined && !isHeldBy(hold, action.member);
    case 'hand-back':
      return hold === null || (!action.force && !isHeldBy(hold, action.member));
  }
}

const isHeldBy = (hold: Hold | null, { id }: TeamMember): boolean => hold?.member.id === id;
