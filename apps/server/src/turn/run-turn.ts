import type { InputRequest } from '@parley/protocol/ask';
import { asksTeam, isTeamQuestion } from '../session/input-requests.ts';
import { newEvent } from '../events/new-event.ts';
import { type Call, type PendingRequest, type Phase, type Turn, idle } from '../session/state/phase.ts';
import type { NewEvent } from '../store/event-store.ts';
import { executeCalls, stepHistory } from './tool-calls.ts';
import { toolPhase } from './tool-phase.ts';
import { afterTurn } from './finish-turn.ts';
import { callFingerprint } from './call-fingerprint.ts';
import { type TurnContext, checkpoint, sessionWaiting, stepAt, turnAt } from './context.ts';
import { modelReply } from './model-reply.ts';
import type { ModelReply } from './run-model-step.ts';
import { keepOpenQuestion } from './keep-open-question.ts';
import { newApprovalId } from './approval-id.ts';
import { approvalMails } from './approval-mails.ts';
import { messageReceived } from './message-received.ts';
import { parseResult } from './parse-result.ts';
import { approvalsBy, needsApproval, pendingRequest } from './pending-request.ts';
import { askedIn } from './prompt/prompt.ts';
import type { JudgedCall } from './step-calls.ts';
import { teamAbsence, teamAway } from './team/team-away.ts';
import { teamAsked, unaskedOfTeam } from './team/team-question.ts';
import { takeWhispers } from './team/whisper.ts';
import { turnEnd } from './turn-end.ts';

/** Goes on with the open turn until it is over: answered, or waiting for a person or the page. */
export async function runTurn(context: TurnContext): Promise<void> {
  for (;;) {
    const { phase } = context.state;
    if (phase.type === 'model') {
      if (phase.turn.stepIndex > 0) await takeWhispers(context, phase.turn);
      await speak(context, phase.turn);
    } else if (phase.type === 'tools') await finishCalls(context);
    else return;
  }
}

/** One model call and what follows from it. */
async function speak(context: TurnContext, turn: Turn): Promise<void> {
  const said = await modelReply(context, turn);
  const reply = withinSteps(context, turn, said);
  const at = stepAt(turn.sequence, turn.stepIndex);
  const { appender } = context;

  if (turn.outputSchema && reply.calls.length === 0) {
    const result = await parseResult(reply.text, turn.outputSchema);
    appender.add(newEvent('step.completed', { ...at, finishReason: 'tool-calls', usage: reply.usage }));
    appender.add(newEvent('result.completed', { ...at, result }));
    return endStep(context, turn, reply);
  }
  if (reply.calls.length > 0) return journalCalls(context, turn, reply);
  if (reply.sources.length === 0) await keepOpenQuestion(context, turn);
  appender.add(
    messageCompleted(turn, reply),
    newEvent('step.completed', { ...at, finishReason: reply.finishReason, usage: reply.usage }),
  );
  return endStep(context, turn, reply);
}

function messageCompleted(turn: Turn, { text, finishReason, sources }: ModelReply): NewEvent {
  const message = text === '' ? null : text;
  const cited = sources.length > 0 && { sources };
  return newEvent('message.completed', {
    ...stepAt(turn.sequence, turn.stepIndex),
    message,
    finishReason,
    ...cited,
  });
}

/** In its last step a turn allows no calls. A model that calls one all the same is not asked again. */
function withinSteps({ agent }: TurnContext, turn: Turn, reply: ModelReply): ModelReply {
  if (reply.calls.length === 0 || turn.stepIndex + 1 < agent.settings.maxSteps) return reply;
  const content = reply.content.filter(({ type }) => type !== 'tool-call');
  return { ...reply, content, calls: [], finishReason: 'other' };
}

/** The model is done with this step: the turn ends, or goes on with a message that waited. */
function endStep(context: TurnContext, turn: Turn, reply: ModelReply): Promise<void> {
  const history = stepHistory(turn.sequence, reply.content, []);
  const [next, ...followUps] = turn.followUps;
  if (!next) {
    const { events, change } = afterTurn(context.state);
    context.appender.add(newEvent('turn.completed', turnAt(turn.sequence)), ...events);
    return checkpoint(context, {
      state: { ...context.state, phase: idle },
      endTurns: [turnEnd('completed', turn)],
      history,
      ...change,
    });
  }
  if (!next.received) {
    context.appender.add(messageReceived(turn.sequence, next.body));
  }
  context.appender.add(newEvent('step.started', stepAt(turn.sequence, turn.stepIndex + 1)));
  return checkpoint(context, {
    state: {
      ...context.state,
      phase: { type: 'model', turn: { ...turn, stepIndex: turn.stepIndex + 1, followUps } },
    },
    history: [...history, ...askedIn(turn.sequence, next.context, next.body)],
  });
}

/** Puts the model's calls into the log before any of them is delivered. */
async function journalCalls(context: TurnContext, turn: Turn, reply: ModelReply): Promise<void> {
  const at = stepAt(turn.sequence, turn.stepIndex);
  // Looked up before anything is added: events that wait are written without the state that belongs to them.
  const unasked = await unaskedOfTeam(context, turn, reply.calls);
  if (reply.text !== '') context.appender.add(messageCompleted(turn, reply));
  for (const { tool, callId, toolName, input } of reply.calls) {
    if (tool?.executor !== 'server') continue;
    const concealed = tool.visibility === 'status';
    const action = { kind: 'tool-call' as const, callId, toolName, input };
    context.appender.add(newEvent('actions.requested', { ...at, actions: [action] }, { concealed }));
  }
  const requests = reply.calls.flatMap((call) =>
    unasked.has(call.callId) ? [] : (inputRequest(context, call) ?? []),
  );
  const calls: Call[] = reply.calls.map((call) => {
    const { callId, toolName, input, tool } = call;
    const result = tool ? (unasked.get(callId) ?? null) : call.result;
    const fingerprint = tool?.executor === 'server' ? callFingerprint(tool, input) : null;
    return { callId, toolName, input, result, fingerprint };
  });
  const step = {
    content: reply.content,
    calls,
    requests,
    clientCallIds: reply.calls.filter(({ tool }) => tool?.executor === 'client').map(({ callId }) => callId),
    historyTurn: turn.sequence,
    resumed: false,
    context: [],
    usage: reply.usage,
  };
  await checkpoint(context, { state: { ...context.state, phase: { type: 'tools', turn, step } } });
}

/** Whether the visitor waits for the team, and cannot answer in its place. */
const needsTeam = (pending: PendingRequest): boolean => asksTeam(pending) && pending.by !== 'either';

/** Delivers what may run, then ends the step: it waits when calls of it wait for a person or for the page. */
async function finishCalls(context: TurnContext): Promise<void> {
  await executeCalls(context);
  const { turn, step } = toolPhase(context);
  const at = stepAt(turn.sequence, turn.stepIndex);
  const history = stepHistory(step.historyTurn, step.content, step.calls);

  if (step.resumed) {
    const told = askedIn(turn.sequence, step.context, null);
    return checkpoint(context, {
      state: { ...context.state, phase: { type: 'model', turn } },
      history: [...history, ...told],
    });
  }

  const askedAt = Date.now();
  const pendingRequests = step.requests
    .toSorted((a, b) => Number(a.kind === 'question') - Number(b.kind === 'question'))
    .map((request) => pendingRequest(context, request, askedAt));
  // Looked up before anything is added, too.
  const absence = pendingRequests.some(needsTeam) ? await teamAbsence(context) : null;
  context.appender.add(newEvent('step.completed', { ...at, finishReason: 'tool-calls', usage: step.usage }));
  if (step.requests.length > 0 || step.clientCallIds.length > 0) {
    for (const { callId, toolName, input } of step.calls) {
      if (!step.clientCallIds.includes(callId)) continue;
      context.appender.add(newEvent('action.delegated', { ...at, callId, toolName, input }));
    }
    const shown = pendingRequests.filter((each) => !isTeamQuestion(each)).map(({ request }) => request);
    context.appender.add(
      ...(shown.length > 0 ? [newEvent('input.requested', { ...at, requests: shown })] : []),
      ...pendingRequests.filter(isTeamQuestion).map((each) => teamAsked(at, each)),
      ...teamAway(turn.sequence, absence),
      newEvent('turn.completed', turnAt(turn.sequence)),
      sessionWaiting(),
    );
    const waiting: Extract<Phase, { type: 'waiting' }> = {
      type: 'waiting',
      step: {
        sequence: turn.sequence,
        stepIndex: turn.stepIndex,
        content: step.content,
        calls: step.calls,
        requests: pendingRequests,
        clientCallIds: step.clientCallIds,
        held: turn.followUps,
        context: [],
        unattended: turn.unattended,
      },
    };
    const isForTeam = waiting.step.requests.some(({ by }) => by !== 'visitor');
    const mails = approvalMails(context, waiting.step.requests, Date.now());
    return checkpoint(context, {
      state: { ...context.state, phase: waiting },
      ...(isForTeam && { thread: { holder: null, isWaiting: true } }),
      ...(mails.length > 0 && { approvalMails: mails }),
      endTurns: [turnEnd('waiting', turn)],
      release: true,
    });
  }
  context.appender.add(newEvent('step.started', stepAt(turn.sequence, turn.stepIndex + 1)));
  return checkpoint(context, {
    state: { ...context.state, phase: { type: 'model', turn: { ...turn, stepIndex: turn.stepIndex + 1 } } },
    history,
  });
}

function inputRequest(context: TurnContext, call: JudgedCall): InputRequest | null {
  const { tool, callId, toolName, input } = call;
  if (tool?.executor === 'visitor' || tool?.executor === 'team') return tool.request(callId, input);
  if (tool?.executor !== 'server' || !needsApproval(context, tool)) return null;
  return {
    requestId: newApprovalId(),
    kind: 'tool-approval',
    prompt: `Approve tool call: ${toolName}`,
    action: { kind: 'tool-call', callId, toolName, input },
    display: 'confirmation',
    allowFreeform: false,
    // Visitors choose nothing of what the team alone answers.
    options: ['team', 'two'].includes(approvalsBy(context))
      ? []
      : [
          { id: 'approve', label: 'Yes' },
          { id: 'deny', label: 'No' },
        ],
  };
}
