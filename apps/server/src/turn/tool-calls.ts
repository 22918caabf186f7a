import { createHash } from 'node:crypto';
import type { EventDataByType } from '@parley/protocol/event';
import { logDigest } from '../crypto/log-digest.ts';
import { newEvent } from '../events/new-event.ts';
import type { AssistantPart, JsonValue, ToolMessage, ToolOutput } from '../model/message.ts';
import type { Call } from '../session/state/phase.ts';
import type { NewEvent } from '../store/event-store.ts';
import type { Retrieval, ServerTool, ToolOutcome } from '../tool/tool.ts';
import { attribute, operation } from '../trace/semantic-conventions.ts';
import { callFingerprint } from './call-fingerprint.ts';
import { type HistoryMessage, type TurnContext, stepAt } from './context.ts';
import { serverTool } from './offered-tools.ts';
import { amendedOutput } from './amended-output.ts';
import { boundedOutput } from './bounded-output.ts';
import { numbered } from './retrieved.ts';
import { SignInWaits } from './sign-in-waits.ts';
import { deliverableCalls } from './deliverable-calls.ts';
import { toolPhase } from './tool-phase.ts';

export const unknownOutcome: ToolOutcome = {
  ok: false,
  code: 'OUTCOME_UNKNOWN',
  message: 'The call was interrupted and its outcome is unknown. It may or may not have taken effect.',
};

const toolChanged: ToolOutcome = {
  ok: false,
  code: 'TOOL_CHANGED',
  message: 'The tool was changed after this call was shown, so the call was not run.',
};

/**
 * Delivers every call of the open step that has no answer, all at once, and journals each answer as it comes.
 * The step's calls must be in the log before this is called.
 */
export async function executeCalls(context: TurnContext): Promise<void> {
  const signIns = new SignInWaits(context);
  const calls = deliverableCalls(toolPhase(context).step);
  await Promise.all(calls.map((call) => executeCall(context, call, signIns)));
}

async function executeCall(context: TurnContext, call: Call, signIns: SignInWaits): Promise<void> {
  const tool = serverTool(context, call.toolName);
  const outcome = !tool
    ? ({ ok: false, message: `The tool ${call.toolName} does not exist any more.` } satisfies ToolOutcome)
    : isChanged(call, tool)
      ? toolChanged
      : await runSignedIn(context, call, tool, signIns);
  context.signal.throwIfAborted();
  await answerCall(context, call, numbered(context, outcome));
}

/** Runs a tool, once more where its visitor had to sign in first. */
async function runSignedIn(
  context: TurnContext,
  call: Call,
  tool: ServerTool,
  signIns: SignInWaits,
): Promise<ToolOutcome | Retrieval> {
  const outcome = await runTool(context, call, tool);
  if (!('signIn' in outcome)) return outcome;
  const { name } = outcome.signIn;
  const reason = await signIns.wait(outcome.signIn, call);
  if (reason !== 'authorized') return notSignedIn(name, reason);
  const again = await runTool(context, call, tool);
  return 'signIn' in again ? notSignedIn(name, 'failed') : again;
}

function notSignedIn(name: string, reason: 'declined' | 'timed-out' | 'failed'): ToolOutcome {
  const why = {
    declined: 'The user did not want to sign in',
    'timed-out': 'The user did not sign in within ten minutes',
    failed: 'The user signed in and was not let in',
  }[reason];
  return { ok: false, code: 'NOT_SIGNED_IN', message: `${why} to ${name}, so the call was not made.` };
}

async function runTool(context: TurnContext, { callId, toolName, input }: Call, tool: ServerTool) {
  const span = context.span?.start(`${operation.tool} ${toolName}`, 'client', {
    [attribute.operation]: operation.tool,
    [attribute.toolName]: toolName,
    [attribute.toolCallId]: callId,
  });
  const outcome = await tool.execute(input, {
    callId,
    idempotencyKey: idempotencyKey(context.session.id, callId),
    signal: context.signal,
    visitor: toolPhase(context).turn.visitor,
    session: logDigest(context.session.id),
    sessionId: context.session.id,
  });
  span?.end(outcome.ok ? undefined : (outcome.code ?? 'ACTION_RESULT_FAILED'));
  return outcome;
}

/** Whether tool or arguments changed since the call was put into the log. Calls without a fingerprint, of earlier versions, count as unchanged. */
export function isChanged(call: Call, tool: ServerTool): boolean {
  return call.fingerprint !== null && call.fingerprint !== callFingerprint(tool, call.input);
}

/** Writes a call's outcome, once, to the log and to the results of its step, in one transaction. */
export async function answerCall(context: TurnContext, call: Call, outcome: ToolOutcome): Promise<void> {
  const phase = toolPhase(context);
  const { turn, step } = phase;
  const concealed = outcome !== toolChanged && serverTool(context, call.toolName)?.visibility !== 'full';
  context.appender.add(resultEvent(stepAt(turn.sequence, turn.stepIndex), call, outcome, concealed));
  const result = modelOutput(outcome);
  const calls = step.calls.map((other) => (other.callId === call.callId ? { ...other, result } : other));
  context.state = { ...context.state, phase: { ...phase, step: { ...step, calls } } };
  context.resultIds.add(call.callId);
  await context.appender.commit({ results: [{ callId: call.callId, result }] });
}

/** A call's outcome as the log shows it: cut where an event could not hold it. */
export function resultEvent(
  at: EventDataByType['step.started'],
  { callId, toolName }: Pick<Call, 'callId' | 'toolName'>,
  outcome: ToolOutcome,
  concealed: boolean,
): NewEvent {
  const identity = { kind: 'tool-result' as const, callId, toolName };
  if (outcome.ok) {
    const result = { ...identity, output: boundedOutput(outcome.output) };
    return newEvent('action.result', { ...at, status: 'completed', result }, { concealed });
  }
  const { message, code = 'ACTION_RESULT_FAILED' } = outcome;
  const result = { ...identity, output: message, isError: true };
  const error = { code, message };
  return newEvent('action.result', { ...at, status: 'failed', result, error }, { concealed });
}

/** Characters of one result that the model reads. */
const maxRead = 100_000;

/** A call's outcome as the model reads it. */
export function modelOutput(outcome: ToolOutcome): ToolOutput {
  if (!outcome.ok) return { type: 'error-text', value: outcome.message };
  const text = typeof outcome.output === 'string' ? outcome.output : JSON.stringify(outcome.output ?? null);
  if (text.length > maxRead) {
    const value = `${text.slice(0, maxRead).toWellFormed()}\n[Cut here: the result has ${text.length} characters.]`;
    return { type: 'text', value };
  }
  if (typeof outcome.output === 'string') return { type: 'text', value: text };
  return { type: 'json', value: (outcome.output ?? null) as JsonValue };
}

/** What the history keeps of a step whose calls all have an answer. */
export function stepHistory(
  turn: number,
  content: readonly AssistantPart[],
  calls: readonly Call[],
): HistoryMessage[] {
  const entries: HistoryMessage[] = [];
  if (content.length > 0) entries.push({ turn, message: { role: 'assistant', content } });
  if (calls.length > 0) entries.push({ turn, message: toolMessage(calls) });
  return entries;
}

function toolMessage(calls: readonly Call[]): ToolMessage {
  return {
    role: 'tool',
    content: calls.map((call) => ({
      type: 'tool-result',
      toolCallId: call.callId,
      toolName: call.toolName,
      output: amendedOutput(
        call,
        call.result ?? {
          type: 'error-text',
          value: 'The call was cancelled; it may or may not have taken effect.',
        },
      ),
    })),
  };
}

function idempotencyKey(sessionId: string, callId: string): string {
  return createHash('sha256').update(`${sessionId}\n${callId}`).digest('base64url');
}
