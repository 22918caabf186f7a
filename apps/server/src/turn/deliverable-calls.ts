import type { Call, ToolStep } from '../session/state/phase.ts';

/** The calls without an answer that wait neither for a person nor for the page. */
export function deliverableCalls({ calls, requests, clientCallIds }: ToolStep): Call[] {
  const waiting = new Set([...requests.map(({ action }) => action.callId), ...clientCallIds]);
  return calls.filter(({ callId, result }) => result === null && !waiting.has(callId));
}
