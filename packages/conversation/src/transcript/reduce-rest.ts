import type { InputRequest } from '@parley/protocol/ask';
import type { EventDataByType, SessionEvent } from '@parley/protocol/event';
import { fold } from '../fold.ts';
import {
  changeTurn,
  closeOpenParts,
  type Coordinates,
  mapChanged,
  mapParts,
  settleTurns,
  without,
  withPart,
} from './reduce-turns.ts';
import type { Transcript, TranscriptMark } from './transcript.ts';
import type { InputAnswer, QuestionPart, ToolPart, TurnPart } from './turn.ts';

const errorIn = ({ code, message }: { code: string; message: string }) => ({ code, message });

type Call = { callId: string; toolName: string };

/** The part of `reduceTranscript` that plain talk does without: how turns and sessions end otherwise, tool calls, what the agent asks for, sign-ins, marks, results. */
export function reduceRest(transcript: Transcript, event: SessionEvent): Transcript {
  const at = event.meta?.at ?? '';
  const mark = (kind: TranscriptMark['kind']): Transcript => ({
    ...transcript,
    marks: [
      ...transcript.marks.filter((each) => each.kind !== 'compacting'),
      { kind, turnsBefore: transcript.turns.length, at },
    ],
  });

  switch (event.type) {
    case 'session.started': {
      const agentName = event.data.runtime?.agentName;
      return agentName === undefined ? transcript : { ...transcript, agentName };
    }
    case 'turn.cancelled':
      return changeTurn(transcript, event.data, at, (turn) => ({
        ...closeOpenParts(turn, 'cancelled'),
        status: 'cancelled',
      }));
    case 'turn.failed':
      return changeTurn(transcript, event.data, at, (turn) => ({
        ...closeOpenParts(turn, 'cancelled'),
        status: 'failed',
        error: errorIn(event.data),
      }));
    case 'session.failed':
      return {
        ...endSession(settleTurns(transcript, 'failed', 'cancelled')),
        error: errorIn(event.data),
      };
    case 'session.completed':
      return endSession(settleTurns(transcript, 'completed'));
    case 'step.started':
      return dismissQuestions(transcript, event.data.sequence);
    case 'context.cleared':
      return {
        ...fold(transcript.requests, transcript, (next, { requestId }) =>
          closeRequest(next, requestId, 'dismissed'),
        ),
        marks: mark('cleared').marks,
      };
    case 'team.joined':
      return { ...mark('person'), person: event.data.author };
    case 'team.left':
      return { ...mark('assistant'), person: null };
    case 'team.asked': {
      const { stepIndex, requestId, question } = event.data;
      return changeTurn(transcript, event.data, at, (turn) =>
        withPart(turn, { kind: 'team-question', stepIndex, requestId, question, state: 'open' }),
      );
    }
    case 'team.answered': {
      const { requestId, outcome: state, answer, author } = event.data;
      return mapAllParts(transcript, (part) =>
        part.kind === 'team-question' && part.requestId === requestId
          ? { ...part, state, answer, author }
          : part,
      );
    }
    case 'team.away': {
      const { reason, message } = event.data;
      return changeTurn(transcript, event.data, at, (turn) => ({ ...turn, away: { reason, message } }));
    }
    case 'compaction.requested':
      return mark('compacting');
    case 'compaction.completed':
      return mark('compacted');
    case 'action.appended':
      return changeTool(transcript, event.data, at, event.data, (tool) => ({
        ...tool,
        inputText: tool.inputText + event.data.inputDelta,
      }));
    case 'actions.requested':
      return fold(event.data.actions, transcript, (next, action) =>
        changeTool(next, event.data, at, action, (tool) => ({
          ...tool,
          input: action.input,
          inputText: '',
          state: 'running',
        })),
      );
    case 'action.delegated':
      return changeTool(transcript, event.data, at, event.data, (tool) => ({
        ...tool,
        input: event.data.input,
        inputText: '',
        state: 'delegated',
      }));
    case 'action.partial':
      return changeTool(transcript, event.data, at, event.data.result, (tool) => ({
        ...tool,
        output: event.data.result.output,
      }));
    case 'action.amended': {
      const { requestId, before, after, member } = event.data;
      const requests = without(transcript.requests, (request) => request.requestId === requestId);
      return changeTool({ ...transcript, requests }, event.data, at, event.data, (tool) => ({
        ...tool,
        input: after,
        amended: [...(tool.amended ?? []), { before, ...(member && { by: member.name }) }],
      }));
    }
    case 'action.retried':
      return changeTool(transcript, event.data, at, { ...event.data, toolName: '' }, (tool) => ({
        ...tool,
        state: 'running',
        retries: tool.retries + 1,
      }));
    case 'action.result':
      return finishTool(transcript, event.data, at);
    case 'input.requested':
      return fold(event.data.requests, transcript, (next, request) =>
        openRequest(next, event.data, at, request),
      );
    case 'input.answered':
      return closeRequest(transcript, event.data.requestId, event.data);
    case 'input.approved':
      return countApproval(transcript, event.data);
    case 'input.expired':
      return closeRequest(transcript, event.data.requestId, 'expired');
    case 'authorization.required': {
      const { stepIndex, name, description, authorization = {} } = event.data;
      return changeTurn(transcript, event.data, at, (turn) =>
        withPart(turn, { kind: 'sign-in', stepIndex, name, description, authorization }),
      );
    }
    case 'authorization.completed': {
      const { name, outcome } = event.data;
      return mapAllParts(transcript, (part) =>
        part.kind === 'sign-in' && part.name === name && !part.outcome ? { ...part, outcome } : part,
      );
    }
    case 'result.completed':
      return changeTurn(transcript, event.data, at, (turn) =>
        withPart(turn, { kind: 'result', stepIndex: event.data.stepIndex, result: event.data.result }),
      );
    default:
      return transcript;
  }
}

/**
 * Applies `change` to the call's part in whichever turn made the call (an approved call ends during a later turn).
 * A call nobody has seen gets its part in the event's own turn.
 */
function changeTool(
  transcript: Transcript,
  coordinates: Coordinates & { stepIndex: number },
  at: string,
  { callId, toolName }: Call,
  change: (tool: ToolPart) => ToolPart,
): Transcript {
  const isCall = (part: TurnPart): part is ToolPart => part.kind === 'tool' && part.callId === callId;
  const owner =
    transcript.turns.find((turn) => turn.id === coordinates.turnId && turn.parts.some(isCall)) ??
    transcript.turns.findLast((turn) => turn.parts.some(isCall));
  if (owner) {
    return changeTurn(transcript, { turnId: owner.id, sequence: owner.sequence }, at, (turn) =>
      mapParts(turn, (part) => (isCall(part) ? change(part) : part)),
    );
  }
  const { stepIndex } = coordinates;
  const made: ToolPart = {
    kind: 'tool',
    stepIndex,
    callId,
    toolName,
    inputText: '',
    retries: 0,
    state: 'streaming-input',
  };
  return changeTurn(transcript, coordinates, at, (turn) => withPart(turn, change(made)));
}

function finishTool(transcript: Transcript, data: EventDataByType['action.result'], at: string): Transcript {
  const { result, status, error } = data;
  const state = error?.code === 'TOOL_EXECUTION_DENIED' ? 'rejected' : status;
  const finished = changeTool(transcript, data, at, result, (tool) => ({
    ...tool,
    // A call whose approval has expired is closed like one that was denied.
    state: tool.state === 'expired' ? tool.state : state,
    output: result.output,
    ...(error && { error }),
  }));
  const requests = without(
    finished.requests,
    (request) => request.kind === 'tool-approval' && request.action.callId === result.callId,
  );
  return { ...finished, requests };
}

function openRequest(
  transcript: Transcript,
  data: EventDataByType['input.requested'],
  at: string,
  request: InputRequest,
): Transcript {
  const { requestId, prompt, action, options = [] } = request;
  const asked = { ...transcript, requests: [...transcript.requests, { ...request, turnId: data.turnId }] };
  if (request.kind === 'tool-approval') {
    return changeTool(asked, data, at, action, (tool) => ({
      ...tool,
      input: action.input,
      inputText: '',
      state: 'awaiting-approval',
      approval: { requestId, prompt, options },
    }));
  }
  const question: QuestionPart = {
    kind: 'question',
    stepIndex: data.stepIndex,
    requestId,
    prompt,
    options,
    allowFreeform: request.allowFreeform ?? !options[0],
    display: request.display ?? (options[0] ? 'select' : 'text'),
    request,
    state: 'open',
  };
  return changeTurn(asked, data, at, (turn) => ({
    ...turn,
    // The question stands for its call, which may have shown while its input was streaming.
    parts: [...turn.parts.filter((part) => part.kind !== 'tool' || part.callId !== action.callId), question],
  }));
}

function closeRequest(
  transcript: Transcript,
  requestId: string,
  outcome: InputAnswer | 'dismissed' | 'expired',
): Transcript {
  const requests = without(transcript.requests, (request) => request.requestId === requestId);
  return mapAllParts({ ...transcript, requests }, (part) => {
    if (part.kind === 'question' && part.requestId === requestId) {
      return typeof outcome === 'string'
        ? { ...part, state: outcome }
        : { ...part, state: 'answered', answer: outcome };
    }
    if (part.kind !== 'tool' || part.approval?.requestId !== requestId) return part;
    if (typeof outcome === 'string') return { ...part, state: 'expired' };
    return {
      ...part,
      state: outcome.optionId === 'approve' ? 'running' : 'rejected',
      approval: { ...part.approval, answer: outcome },
    };
  });
}

/** One of those who have to approve has. The visitor has nothing more to choose then. */
function countApproval(
  transcript: Transcript,
  { requestId, by, needed }: EventDataByType['input.approved'],
): Transcript {
  const left = by === 'visitor' ? { options: [] } : {};
  const requests = mapChanged(transcript.requests, (request) =>
    request.requestId === requestId ? { ...request, ...left } : request,
  );
  return mapAllParts({ ...transcript, requests }, (part) => {
    if (part.kind !== 'tool' || part.approval?.requestId !== requestId) return part;
    const given = [...(part.approval.given ?? []), by];
    return { ...part, approval: { ...part.approval, ...left, given, needed } };
  });
}

const mapAllParts = (transcript: Transcript, change: (part: TurnPart) => TurnPart): Transcript => ({
  ...transcript,
  turns: mapChanged(transcript.turns, (turn) => mapParts(turn, change)),
});

/** Nobody waits for an answer any more, neither the visitor's nor the team's. */
const endSession = (transcript: Transcript): Transcript => ({
  ...mapAllParts(transcript, (part) =>
    part.kind === 'team-question' && part.state === 'open' ? { ...part, state: 'withdrawn' } : part,
  ),
  status: 'ended',
  requests: [],
});

/** A model step of a later turn means that whatever questions are still open were passed over. */
function dismissQuestions(transcript: Transcript, sequence: number): Transcript {
  if (transcript.requests.length === 0) return transcript;
  const turnIds = new Set(transcript.turns.filter((turn) => turn.sequence < sequence).map((turn) => turn.id));
  const dismissed = transcript.requests.filter(
    (request) => request.kind !== 'tool-approval' && turnIds.has(request.turnId),
  );
  return fold(dismissed, transcript, (next, { requestId }) => closeRequest(next, requestId, 'dismissed'));
}
