import { maxArgumentBytes } from '@parley/protocol/bounds';
import { isApproval, isOpen } from '../input-requests.ts';
import { type Call, type PendingRequest, type WaitingStep, waitingStep } from './phase.ts';
import type { SessionState } from './schema.ts';

/** How often the arguments of one call are changed at most: each time is two more events of the log. */
const maxAmendments = 20;

interface Amendable {
  readonly waiting: WaitingStep;
  readonly pending: PendingRequest;
  readonly call: Call;
}

/** The call of an approval that the team may change now. Otherwise why it may not; null: it is not there to be changed. */
export function amendable(
  state: SessionState,
  requestId: string,
  input: Record<string, unknown>,
  now: number,
): Amendable | string | null {
  const waiting = waitingStep(state);
  const pending = waiting?.requests.find(({ request }) => request.requestId === requestId);
  if (state.hold || !waiting || !pending || !isApproval(pending.request)) return null;
  if (pending.by === 'visitor' || !isOpen(pending, now)) return null;
  const call = waiting.calls.find(({ callId }) => callId === pending.request.action.callId);
  if (!call) return null;
  if ((call.amended?.times ?? 0) >= maxAmendments)
    return `The arguments of a call are changed ${maxAmendments} times at most. Decline it instead.`;
  const others = waiting.calls.filter((other) => other !== call).map((other) => other.input);
  const bytes = [...others, input].reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0);
  if (bytes > maxArgumentBytes) return `The arguments have at most ${maxArgumentBytes} bytes.`;
  if (JSON.stringify(call.input) === JSON.stringify(input)) return 'Nothing was changed.';
  return { waiting, pending, call };
}
