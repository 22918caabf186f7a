import { setImmediate as nextImmediate } from 'node:timers/promises';
import type { JournaledCall, SessionState } from '../session/state.ts';
import type { CallResult, Store } from '../store/store.ts';
import type { Change } from './merge-changes.ts';

/** Ids of the calls whose results the store keeps beside the state. */
export type ResultIds = Set<string>;

/** The state of a session with the results of the step that is open or parked. */
export async function loadCallResults(
  store: Pick<Store, 'callResult'>,
  sessionId: string,
  state: SessionState,
): Promise<{ state: SessionState; resultIds: ResultIds }> {
  const resultIds: ResultIds = new Set();
  const results = new Map<string, JournaledCall['result']>();
  for (const { callId, result } of openCalls(state)) {
    if (result !== null) continue;
    const stored = (await store.callResult(sessionId, callId)) as JournaledCall['result'];
    if (stored === null) continue;
    resultIds.add(callId);
    results.set(callId, stored);
    await nextImmediate();
  }
  if (resultIds.size === 0) return { state, resultIds };
  return {
    state: withCalls(state, (call) => ({ ...call, result: call.result ?? results.get(call.callId) ?? null })),
    resultIds,
  };
}

/** The state without results, as a commit writes it, the results that are new, and the ids of those to remove. */
export function splitCallResults(
  state: SessionState,
  resultIds: ResultIds,
): Pick<Change, 'results' | 'dropResults'> & { readonly state: SessionState } {
  const calls = openCalls(state);
  const results: CallResult[] = [];
  for (const { callId, result } of calls) {
    if (result !== null && !resultIds.has(callId)) results.push({ callId, result });
  }
  const open = new Set(calls.map(({ callId }) => callId));
  const dropResults = [...resultIds].filter((callId) => !open.has(callId));
  for (const { callId } of results) resultIds.add(callId);
  for (const callId of dropResults) resultIds.delete(callId);
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
