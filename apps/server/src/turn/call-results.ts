import { setImmediate as nextImmediate } from 'node:timers/promises';
import type { Call } from '../session/state/phase.ts';
import type { SessionState } from '../session/state/schema.ts';
import type { CallResult, EventStore } from '../store/event-store.ts';
import type { Change } from '../events/merge-changes.ts';

/** Ids of the calls whose results the store keeps beside the state. */
export type ResultIds = Set<string>;

/** The state of a session with the results of the step that is open or waits. */
export async function loadCallResults(
  store: Pick<EventStore, 'getCallResult'>,
  sessionId: string,
  state: SessionState,
): Promise<{ state: SessionState; resultIds: ResultIds }> {
  const resultIds: ResultIds = new Set();
  const results = new Map<string, Call['result']>();
  for (const { callId, result } of openCalls(state)) {
    if (result !== null) continue;
    const stored = (await store.getCallResult(sessionId, callId)) as Call['result'];
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

function openCalls({ phase }: SessionState): readonly Call[] {
  return phase.type === 'tools' || phase.type === 'waiting' ? phase.step.calls : [];
}

function withCalls(state: SessionState, change: (call: Call) => Call): SessionState {
  const { phase } = state;
  switch (phase.type) {
    case 'tools':
      return { ...state, phase: { ...phase, step: { ...phase.step, calls: phase.step.calls.map(change) } } };
    case 'waiting':
      return { ...state, phase: { ...phase, step: { ...phase.step, calls: phase.step.calls.map(change) } } };
    default:
      return state;
  }
}
