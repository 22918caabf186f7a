import type { InputRequest, InputResponse } from '@parley/protocol/ask';
import {
  type Answerer,
  type Resolution,
  isApproval,
  isTeamQuestion,
  neededApprovals,
} from '../session/input-requests.ts';
import { newEvent } from '../events/new-event.ts';
import type { Call, PendingRequest, WaitingStep } from '../session/state/phase.ts';
import type { SessionState } from '../session/state/schema.ts';
import { structuredAnswer } from '../session/structured-answer.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { TurnTrigger } from './starting-turn.ts';
import { teamAnswer } from './team/team-question.ts';
import { isChanged } from './tool-calls.ts';
import { type TurnContext, stepAt, turnAt } from './context.ts';
import { offeredTools, serverTool } from './offered-tools.ts';

/** The answer to a question or an approval, as the log shows it. */
export function inputAnswered(
  sequence: number,
  { requestId, optionId, text }: InputResponse,
  { by, member }: Answerer,
): NewEvent {
  return newEvent('input.answered', {
    ...turnAt(sequence),
    requestId,
    ...(optionId === undefined ? {} : { optionId }),
    ...(text === undefined ? {} : { text }),
    by,
    ...(member && { member: { id: member.id, name: member.name } }),
  });
}

/** A yes that more have to follow. */
export function inputApproved(sequence: number, pending: PendingRequest, { by, member }: Answerer): NewEvent {
  return newEvent('input.approved', {
    ...turnAt(sequence),
    requestId: pending.request.requestId,
    by,
    ...(member && { member: { id: member.id, name: member.name } }),
    given: pending.approvedBy?.length ?? 1,
    needed: neededApprovals(pending),
  });
}

/** An approval that nobody gave in time, in the turn that asked for it. */
export function inputExpired({ sequence }: WaitingStep, { requestId }: InputRequest): NewEvent {
  return newEvent('input.expired', { ...turnAt(sequence), requestId });
}

/** The result of a call that was not approved, in the turn that asked. */
export function rejection(
  context: TurnContext,
  waiting: WaitingStep,
  { request, response, expired }: PendingRequest,
): NewEvent {
  const { requestId, action } = request;
  const { callId, toolName } = action;
  const status = expired ? 'expired' : response?.optionId === 'deny' ? 'denied' : 'invalid';
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
      ...stepAt(waiting.sequence, waiting.stepIndex),
      status: 'rejected',
      result: { kind: 'tool-result', callId, toolName, output, isError: true },
      error: { code, message },
    },
    { concealed: serverTool(context, toolName)?.visibility !== 'full' },
  );
}

const rejectionMessages = {
  expired: 'Nobody approved this in time.',
  denied: 'Tool execution was denied.',
  invalid: 'Invalid approval response.',
};

/** Fingerprints of the tools that need no more approval in this session, of those there are. */
export function grantedTools(
  context: TurnContext,
  { approvedTools }: SessionState,
  calls: readonly Call[],
  { requests }: Resolution,
): string[] {
  const granted = new Set(approvedTools);
  for (const { request, response } of requests) {
    if (!isApproval(request) || response?.optionId !== 'approve') continue;
    const tool = serverTool(context, request.action.toolName);
    const call = calls.find(({ callId }) => callId === request.action.callId);
    if (tool && call && !isChanged(call, tool)) granted.add(tool.fingerprint);
  }
  const { tools } = offeredTools(context);
  return [...tools.values()]
    .flatMap((tool) => (tool.executor === 'server' ? [tool.fingerprint] : []))
    .filter((shown) => granted.has(shown));
}

/** The call as the model reads it once everything asked has its answer, or is passed over. */
export function settleCall(call: Call, { requests }: Resolution, { member }: TurnTrigger): Call {
  const pending = requests.find(({ request }) => request.action.callId === call.callId);
  if (!pending) return call;
  const { request, response, expired } = pending;
  if (isApproval(request)) {
    // A call that an earlier version showed has no fingerprint to compare: the empty one keeps it from running.
    if (response?.optionId === 'approve') return { ...call, fingerprint: call.fingerprint ?? '' };
    const reason = expired ? 'Nobody approved this call in time.' : 'The user denied this call.';
    return { ...call, result: { type: 'execution-denied', reason } };
  }
  if (isTeamQuestion(pending)) return { ...call, result: teamAnswer(pending, member) };
  const structured = response && structuredAnswer(request, response);
  if (structured) return { ...call, result: { type: 'json', value: structured.value } };
  const value = response
    ? {
        ...(response.optionId === undefined ? {} : { optionId: response.optionId }),
        ...(response.text === undefined ? {} : { text: response.text }),
        status: 'answered',
      }
    : { status: 'ignored' };
  return { ...call, result: { type: 'json', value } };
}
