import { randomBytes } from 'node:crypto';
import type { InputRequest } from '@parley/protocol/ask';
import { isApproval } from '../session/asks.ts';
import { newEvent } from '../session/new-event.ts';
import type { JournaledCall, OpenTurn, ParkedStep, PendingRequest } from '../session/state.ts';
import type { Tool } from '../tool/tool.ts';
import { callWithinWindow } from './call-within-window.ts';
import { executeCalls, stepHistory } from './calls.ts';
import { callFingerprint } from './call-fingerprint.ts';
import { type TurnContext, checkpoint, sessionWaiting, stepAt, turnAt } from './context.ts';
import { type ModelReply, modelStep } from './model-step.ts';
import { parseResult } from './parse-result.ts';
import { askedIn } from './prompt.ts';
import type { JudgedCall } from './step-calls.ts';

/** Goes on with the open turn until it is over: answered, or waiting for a person or the page. */
export async function runSteps(context: TurnContext): Promise<void> {
  for (;;) {
    const turn = context.state.turn;
    if (!turn) return;
    if (turn.step) await finishCalls(context, turn);
    else await speak(context, turn);
  }
}

/** One model call and what follows from it. */
async function speak(context: TurnContext, turn: OpenTurn): Promise<void> {
  const said = await callWithinWindow(context, turnAt(turn.sequence), (prompt) =>
    modelStep(context, turn.sequence, turn.stepIndex, prompt),
  );
  const reply = withinSteps(context, turn, said);
  const at = stepAt(turn.sequence, turn.stepIndex);
  const { appender } = context;

  if (turn.outputSchema && reply.calls.length === 0) {
    const result = await parseResult(reply.text, turn.outputSchema);
    appender.add(newEvent('step.completed', { ...at, finishReason: 'tool-calls', usage: reply.usage }));
    appender.add(newEvent('result.completed', { ...at, result }));
    return endStep(context, turn, reply);
  }
  if (reply.text !== '' || reply.calls.length === 0) {
    const message = reply.text === '' ? null : reply.text;
    appender.add(newEvent('message.completed', { ...at, message, finishReason: reply.finishReason }));
  }
  if (reply.calls.length === 0) {
    appender.add(newEvent('step.completed', { ...at, finishReason: reply.finishReason, usage: reply.usage }));
    return endStep(context, turn, reply);
  }
  return journalCalls(context, turn, reply);
}

/** In its last step a turn allows no calls. A model that calls one all the same is not asked again. */
function withinSteps({ agent }: TurnContext, turn: OpenTurn, reply: ModelReply): ModelReply {
  if (reply.calls.length === 0 || turn.stepIndex + 1 < agent.settings.maxSteps) return reply;
  const content = reply.content.filter(({ type }) => type !== 'tool-call');
  return { ...reply, content, calls: [], finishReason: 'other' };
}

/** The model is done with this step: the turn ends, or goes on with a message that waited. */
function endStep(context: TurnContext, turn: OpenTurn, reply: ModelReply): Promise<void> {
  const history = stepHistory(turn.sequence, reply.content, []);
  const [next, ...rest] = turn.next;
  if (!next) {
    context.appender.add(newEvent('turn.completed', turnAt(turn.sequence)), sessionWaiting());
    return checkpoint(context, {
      state: { ...context.state, turn: null },
      history,
      release: true,
    });
  }
  if (!next.received) {
    const { text: message, parts } = next.body;
    context.appender.add(
      newEvent('message.received', { ...turnAt(turn.sequence), message, parts: [...parts] }),
    );
  }
  context.appender.add(newEvent('step.started', stepAt(turn.sequence, turn.stepIndex + 1)));
  return checkpoint(context, {
    state: { ...context.state, turn: { ...turn, stepIndex: turn.stepIndex + 1, next: rest } },
    history: [...history, ...askedIn(turn.sequence, next.context, next.body)],
  });
}

/** Puts the model's calls into the log before any of them is delivered. */
async function journalCalls(context: TurnContext, turn: OpenTurn, reply: ModelReply): Promise<void> {
  const at = stepAt(turn.sequence, turn.stepIndex);
  for (const { kind, callId, toolName, input } of reply.calls) {
    if (kind !== 'run') continue;
    const concealed = context.tools.get(toolName)?.visibility === 'status';
    const action = { kind: 'tool-call' as const, callId, toolName, input };
    context.appender.add(newEvent('actions.requested', { ...at, actions: [action] }, { concealed }));
  }
  const requests = reply.calls.flatMap((call) => inputRequest(context, call) ?? []);
  const calls: JournaledCall[] = reply.calls.map((call) => {
    const { callId, toolName, input } = call;
    const tool = call.kind === 'run' ? context.tools.get(toolName) : undefined;
    const result = call.kind === 'faulty' ? call.result : null;
    return { callId, toolName, input, result, ...(tool && { fingerprint: callFingerprint(tool, input) }) };
  });
  const step = {
    content: reply.content,
    calls,
    requests,
    delegated: reply.calls.filter(({ kind }) => kind === 'delegate').map(({ callId }) => callId),
    historyTurn: turn.sequence,
    resumed: false,
    context: [],
    usage: reply.usage,
  };
  await checkpoint(context, { state: { ...context.state, turn: { ...turn, step } } });
}

/** Delivers what may run, then ends the step: parked when calls wait for a person or for the page. */
async function finishCalls(context: TurnContext, turn: OpenTurn): Promise<void> {
  await executeCalls(context);
  const { step } = context.state.turn ?? turn;
  if (!step) throw new Error('The step was closed while its calls ran.');
  const at = stepAt(turn.sequence, turn.stepIndex);
  const history = stepHistory(step.historyTurn, step.content, step.calls);

  if (step.resumed) {
    const told = askedIn(turn.sequence, step.context, null);
    return checkpoint(context, {
      state: { ...context.state, turn: { ...turn, step: null } },
      history: [...history, ...told],
    });
  }

  context.appender.add(newEvent('step.completed', { ...at, finishReason: 'tool-calls', usage: step.usage }));
  if (step.requests.length > 0 || step.delegated.length > 0) {
    const requests = [...step.requests].sort(
      (a, b) => Number(a.kind === 'question') - Number(b.kind === 'question'),
    );
    for (const { callId, toolName, input } of step.calls) {
      if (!step.delegated.includes(callId)) continue;
      context.appender.add(newEvent('action.delegated', { ...at, callId, toolName, input }));
    }
    const asked = newEvent('input.requested', { ...at, requests });
    context.appender.add(
      ...(requests.length > 0 ? [asked] : []),
      newEvent('turn.completed', turnAt(turn.sequence)),
      sessionWaiting(),
    );
    const parked: ParkedStep = {
      sequence: turn.sequence,
      stepIndex: turn.stepIndex,
      content: step.content,
      calls: step.calls,
      requests: requests.map((request) => pending(context, request, Date.parse(asked.event.meta.at))),
      delegated: step.delegated,
      held: turn.next,
      context: [],
      ...(turn.unattended && { unattended: true }),
    };
    return checkpoint(context, { state: { ...context.state, turn: null, parked }, release: true });
  }
  context.appender.add(newEvent('step.started', stepAt(turn.sequence, turn.stepIndex + 1)));
  return checkpoint(context, {
    state: { ...context.state, turn: { ...turn, stepIndex: turn.stepIndex + 1, step: null } },
    history,
  });
}

function inputRequest(context: TurnContext, call: JudgedCall): InputRequest | null {
  const { kind, callId, toolName, input } = call;
  const action = { kind: 'tool-call' as const, callId, toolName, input };
  if (kind === 'question') {
    const { prompt, options, allowFreeform, multiple, fields } = call.question;
    // Its extras stand in the action's input: a client that does not know them lets the visitor type.
    const plain = options && !multiple && !fields?.length;
    return {
      requestId: callId,
      kind: 'question',
      prompt,
      action,
      display: plain ? 'select' : 'text',
      ...(allowFreeform === undefined ? {} : { allowFreeform }),
      ...(options ? { options } : {}),
    };
  }
  if (kind !== 'run' || !needsApproval(context, context.tools.get(toolName))) return null;
  return {
    requestId: `apr_${randomBytes(16).toString('hex')}`,
    kind: 'tool-approval',
    prompt: `Approve tool call: ${toolName}`,
    action,
    display: 'confirmation',
    allowFreeform: false,
    options: [
      { id: 'approve', label: 'Yes' },
      { id: 'deny', label: 'No' },
    ],
  };
}

function pending({ tools }: TurnContext, request: InputRequest, askedAt: number): PendingRequest {
  const lasts = isApproval(request) ? tools.get(request.action.toolName)?.approvalExpiresAfterMs : null;
  return { request, answer: null, ...(typeof lasts === 'number' && { expiresAt: askedAt + lasts }) };
}

function needsApproval({ state }: TurnContext, tool: Tool | undefined): boolean {
  if (!tool || tool.approval === 'never') return false;
  return tool.approval === 'always' || !state.approvedTools.includes(tool.fingerprint);
}
