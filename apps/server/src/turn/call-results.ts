import { setImmediate as nextImmediate } from 'node:timers/promises';
import type { JournaledCall, SessionState } from '../session/state.ts';
import type { CallResult, Store } from '../store/store.ts';
import type { Change } from './merge-changes.ts';

/** Ids of the calls whose results the store keeps beside the state. */
export type KeptResults = Set<string>;

/** The state of a session with the results of the step that is open or parked. */
export async function loadCallResults(
  store: Pick<Store, 'callResult'>,
  sessionId: string,
  state: SessionState,
): Promise<{ state: SessionState; kept: KeptResults }> {
  const kept: KeptResults = new Set();
  const results = new Map<string, JournaledCall['result']>();
  for (const { callId, result } of openCalls(state)) {
    if (result !== null) continue;
    const stored = (await store.callResult(sessionId, callId)) as JournaledCall['result'];
    if (stored === null) continue;
    kept.add(callId);
    results.set(callId, stored);
    await nextImmediate();
  }
  if (kept.size === 0) return { state, kept };
  return {
    state: withCalls(state, (call) => ({ ...call, result: call.result ?? results.get(call.callId) ?? null })),
    kept,
  };
}

/** What a commit of this state writes: the state without results, those that are new, and which are over. */
export function splitCallResults(
  state: SessionState,
  kept: KeptResults,
): Pick<Change, 'results' | 'dropResults'> & { readonly state: SessionState } {
  const calls = openCalls(state);
  const results: CallResult[] = [];
  for (const { callId, result } of calls) {
    if (result !== null && !kept.has(callId)) results.push({ callId, result });
  }
  const open = new Set(calls.map(({ callId }) => callId));
  const dropResults = [...kept].filter((callId) => !open.has(callId));
  for (const { callId } of results) kept.add(callId);
  for (const callId of dropResults) kept.delete(callId);
  return {
    state:
      calls.length === 0
        ? state
        : withCalls(state, (call) => (call.result === null ? call : { ...call, result: null })),
    ...(results.length > 0 && { results }),
    ...(dropResults.length > 0 && { dropResults }),
  };
}

function openCalls({ turn, parked }: SessionState): readonly JournaledCall[] {
  return [...(turn?.step?.calls ?? []), ...(parked?.calls ?? [])];
}

function withCalls(state: SessionState, change: (call: JournaledCall) => JournaledCall): SessionState {
  const { turn, parked } = state;
  return {
    ...state,
    turn: turn?.step ? { ...turn, step: { ...turn.step, calls: turn.step.calls.map(change) } } : turn,
    parked: parked && { ...parked, calls: parked.calls.map(change) },
  };
}
