import type { InputRequest, InputResponse } from '@parley/protocol/ask';
import { type Resolution, isApproval } from '../session/asks.ts';
import { newEvent } from '../session/new-event.ts';
import type { JournaledCall, ParkedStep, PendingRequest, SessionState } from '../session/state.ts';
import { structuredAnswer } from '../session/structured-answer.ts';
import type { NewEvent } from '../store/store.ts';
import { isChanged } from './calls.ts';
import { type TurnContext, stepAt, turnAt } from './context.ts';

/** The answer to a question or an approval, as the log shows it. */
export function inputAnswered(sequence: number, { requestId, optionId, text }: InputResponse): NewEvent {
  return newEvent('input.answered', {
    ...turnAt(sequence),
    requestId,
    ...(optionId === undefined ? {} : { optionId }),
    ...(text === undefined ? {} : { text }),
    by: 'visitor',
  });
}

/** An approval that nobody gave in time, in the turn that asked for it. */
export function inputExpired({ sequence }: ParkedStep, { requestId }: InputRequest): NewEvent {
  return newEvent('input.expired', { ...turnAt(sequence), requestId });
}

/** The result of a call that was not approved, in the turn that asked. */
export function rejection(
  { tools }: TurnContext,
  parked: ParkedStep,
  { request, answer, expired }: PendingRequest,
): NewEvent {
  const { requestId, action } = request;
  const { callId, toolName } = action;
  const status = expired ? 'expired' : answer?.optionId === 'deny' ? 'denied' : 'invalid';
  const code = 'TOOL_EXECUTION_DENIED';
  const message = rejectionMessages[status];
  const output = {
    approval: { requestId, status },
    code,
    message,
    tool: { result: 'not_run' },
  };
  return newEvent(
    'action.result',
    {
      ...stepAt(parked.sequence, parked.stepIndex),
      status: 'rejected',
      result: { kind: 'tool-result', callId, toolName, output, isError: true },
      error: { code, message },
    },
    { concealed: tools.get(toolName)?.visibility !== 'full' },
  );
}

const rejectionMessages = {
  expired: 'Nobody approved this in time.',
  denied: 'Tool execution was denied.',
  invalid: 'Invalid approval response.',
};

/** Fingerprints of the tools that need no more approval in this session, of those there are. */
export function grantedTools(
  { tools }: TurnContext,
  { approvedTools }: SessionState,
  calls: readonly JournaledCall[],
  { requests }: Resolution,
): string[] {
  const granted = new Set(approvedTools);
  for (const { request, answer } of requests) {
    if (!isApproval(request) || answer?.optionId !== 'approve') continue;
    const tool = tools.get(request.action.toolName);
    const call = calls.find(({ callId }) => callId === request.action.callId);
    if (tool && call && !isChanged(call, tool)) granted.add(tool.fingerprint);
  }
  return [...tools.values()].map(({ fingerprint }) => fingerprint).filter((shown) => granted.has(shown));
}

/** The call as the model reads it once everything asked has its answer, or is passed over. */
export function settleCall(call: JournaledCall, { requests }: Resolution): JournaledCall {
  const pending = requests.find(({ request }) => request.action.callId === call.callId);
  if (!pending) return call;
  const { request, answer, expired } = pending;
  if (isApproval(request)) {
    // A call that an earlier version showed has no fingerprint to compare: the empty one keeps it from running.
    if (answer?.optionId === 'approve') return { ...call, fingerprint: call.fingerprint ?? '' };
    const reason = expired ? 'Nobody approved this call in time.' : 'The user denied this call.';
    return { ...call, result: { type: 'execution-denied', reason } };
  }
  const structured = answer && structuredAnswer(request, answer);
  if (structured) return { ...call, result: { type: 'json', value: structured.value } };
  const value = answer
    ? {
        ...(answer.optionId === undefined ? {} : { optionId: answer.optionId }),
        ...(answer.text === undefined ? {} : { text: answer.text }),
        status: 'answered',
      }
    : { status: 'ignored' };
  return { ...call, result: { type: 'json', value } };
}
