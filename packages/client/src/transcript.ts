import type { InputRequest } from '@parley/protocol/ask';
import type { EventDataByType, SessionEvent } from '@parley/protocol/event';
import type { InputAnswer, QuestionPart, ToolPart, Turn, TurnPart } from './turn.ts';

/** An event and its absolute position in the session's stream, as `followSession` yields it. */
export type IndexedEvent = { index: number; event: SessionEvent };

/** A divider in the conversation; it stands before `turns[turnsBefore]`. */
export type TranscriptMark = {
  kind: 'cleared' | 'compacting' | 'compacted';
  turnsBefore: number;
  at: string;
};

export type PendingRequest = InputRequest & { turnId: string };

/** A session as a UI shows it. Plain JSON: store it and go on from `nextIndex` later. */
export type Transcript = {
  status: 'idle' | 'working' | 'ended';
  /** Where to follow from. */
  nextIndex: number;
  continuationToken?: string;
  agentName?: string;
  turns: readonly Turn[];
  /** Approvals and questions that wait for an answer, oldest first. */
  requests: readonly PendingRequest[];
  marks: readonly TranscriptMark[];
  /** Why the session ended, if it failed. */
  error?: { code: string; message: string };
};

export const emptyTranscript: Transcript = {
  status: 'idle',
  nextIndex: 0,
  turns: [],
  requests: [],
  marks: [],
};

/**
 * The transcript after one more event. Pure; what an event does not touch keeps its identity. An index that was
 * already applied changes nothing, an event of an unknown type moves `nextIndex` only.
 */
export function reduceTranscript(transcript: Transcript, { index, event }: IndexedEvent): Transcript {
  if (index < transcript.nextIndex) return transcript;
  return { ...apply(transcript, event), nextIndex: index + 1 };
}

type Coordinates = { turnId: string; sequence: number };

function apply(transcript: Transcript, event: SessionEvent): Transcript {
  const at = event.meta?.at ?? '';
  const inTurn = (coordinates: Coordinates, change: (turn: Turn) => Turn) =>
    changeTurn(transcript, coordinates, at, change);
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
    case 'turn.started':
      return { ...inTurn(event.data, (turn) => turn), status: 'working' };
    case 'message.received': {
      const { message, parts } = event.data;
      return inTurn(event.data, (turn) => {
        // A text that had to wait for an approval is received again when it is its turn to be answered.
        const repeated = turn.parts.length > 0 && transcript.turns.some(({ user }) => user?.text === message);
        return repeated ? turn : { ...turn, user: { text: message, parts } };
      });
    }
    case 'step.started':
      return dismissQuestions(
        inTurn(event.data, (turn) => closeOpenParts(turn)),
        event.data.sequence,
      );
    case 'message.appended':
    case 'message.completed':
    case 'reasoning.appended':
    case 'reasoning.completed':
      return inTurn(event.data, (turn) => writeText(turn, event.data));
    case 'action.appended':
      return changeTool(transcript, event.data, at, event.data, (tool) => ({
        ...tool,
        inputText: tool.inputText + event.data.inputDelta,
      }));
    case 'actions.requested':
      return event.data.actions.reduce(
        (next, action) =>
          changeTool(next, event.data, at, action, (tool) => ({
            ...tool,
            input: action.input,
            inputText: '',
            state: 'running',
          })),
        transcript,
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
    case 'action.retried':
      return changeTool(transcript, event.data, at, { ...event.data, toolName: '' }, (tool) => ({
        ...tool,
        state: 'running',
        retries: tool.retries + 1,
      }));
    case 'action.result':
      return finishTool(transcript, event.data, at);
    case 'input.requested':
      return event.data.requests.reduce(
        (next, request) => openRequest(next, event.data, at, request),
        transcript,
      );
    case 'input.answered':
      return closeRequest(transcript, event.data.requestId, event.data);
    case 'input.expired':
      return closeRequest(transcript, event.data.requestId, 'expired');
    case 'result.completed':
      return inTurn(event.data, (turn) =>
        withPart(turn, { kind: 'result', stepIndex: event.data.stepIndex, result: event.data.result }),
      );
    case 'step.completed':
      return inTurn(event.data, closeOpenParts);
    case 'turn.completed':
      return inTurn(event.data, (turn) => ({ ...closeOpenParts(turn), status: 'completed' }));
    case 'turn.cancelled':
      return inTurn(event.data, (turn) => ({ ...closeOpenParts(turn, 'cancelled'), status: 'cancelled' }));
    case 'turn.failed':
      return inTurn(event.data, (turn) => ({
        ...closeOpenParts(turn, 'cancelled'),
        status: 'failed',
        error: errorIn(event.data),
      }));
    case 'context.cleared':
      return {
        ...transcript.requests.reduce(
          (next, { requestId }) => closeRequest(next, requestId, 'dismissed'),
          transcript,
        ),
        marks: mark('cleared').marks,
      };
    case 'compaction.requested':
      return mark('compacting');
    case 'compaction.completed':
      return mark('compacted');
    case 'session.waiting':
      return {
        ...settleTurns(transcript, 'completed'),
        status: 'idle',
        continuationToken: event.data.continuationToken,
      };
    case 'session.failed':
      return {
        ...settleTurns(transcript, 'failed'),
        status: 'ended',
        requests: [],
        error: errorIn(event.data),
      };
    case 'session.completed':
      return { ...settleTurns(transcript, 'completed'), status: 'ended', requests: [] };
    default:
      return transcript;
  }
}

const errorIn = ({ code, message }: { code: string; message: string }) => ({ code, message });

/** Applies `change` to the turn, which is made first, in its place, if a reader came in after its beginning. */
function changeTurn(
  transcript: Transcript,
  { turnId, sequence }: Coordinates,
  at: string,
  change: (turn: Turn) => Turn,
): Transcript {
  const { turns } = transcript;
  const position = turns.findLastIndex((turn) => turn.id === turnId);
  const known = turns[position];
  if (known) {
    const changed = change(known);
    return changed === known ? transcript : { ...transcript, turns: turns.with(position, changed) };
  }
  const made = change({ id: turnId, sequence, status: 'running', startedAt: at, parts: [] });
  const before = turns.findLastIndex((turn) => turn.sequence < sequence) + 1;
  return { ...transcript, turns: turns.toSpliced(before, 0, made) };
}

/** Like `map`, but the same array when nothing changed. */
function mapChanged<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const mapped = items.map(change);
  return mapped.every((item, position) => item === items[position]) ? items : mapped;
}

const withPart = (turn: Turn, part: TurnPart): Turn => ({ ...turn, parts: [...turn.parts, part] });

const mapAllParts = (transcript: Transcript, change: (part: TurnPart) => TurnPart): Transcript => ({
  ...transcript,
  turns: mapChanged(transcript.turns, (turn) => mapParts(turn, change)),
});

function mapParts(turn: Turn, change: (part: TurnPart) => TurnPart): Turn {
  const parts = mapChanged(turn.parts, change);
  return parts === turn.parts ? turn : { ...turn, parts };
}

/** Like `filter`, but the same array when nothing goes. */
function without<Item>(items: readonly Item[], goes: (item: Item) => boolean): readonly Item[] {
  return items.some(goes) ? items.filter((item) => !goes(item)) : items;
}

/** A call still streaming its input here was never made: the model's arguments were unusable. */
function closeOpenParts(turn: Turn, running?: 'cancelled'): Turn {
  return mapParts(turn, (part) => {
    if ('done' in part) return part.done ? part : { ...part, done: true };
    if (part.kind !== 'tool') return part;
    if (part.state === 'streaming-input') return { ...part, state: running ?? 'failed' };
    return part.state === 'running' && running ? { ...part, state: running } : part;
  });
}

/** At a boundary nothing is running, whatever this reader has missed. */
function settleTurns(transcript: Transcript, status: 'completed' | 'failed'): Transcript {
  return {
    ...transcript,
    marks: without(transcript.marks, (mark) => mark.kind === 'compacting'),
    turns: mapChanged(transcript.turns, (turn) =>
      turn.status === 'running' ? { ...closeOpenParts(turn), status } : turn,
    ),
  };
}

type TextData = EventDataByType[`${'message' | 'reasoning'}.${'appended' | 'completed'}`];

/** What an event says of the open text of its kind and step: the text as it is now, and whether that is all. */
function writeText(turn: Turn, data: TextData): Turn {
  const { parts } = turn;
  const { stepIndex } = data;
  const kind = 'message' in data || 'messageDelta' in data ? 'text' : 'reasoning';
  const position = parts.findLastIndex(
    (part) => part.kind === kind && part.stepIndex === stepIndex && !part.done,
  );
  const open = parts[position];
  const soFar = open && 'text' in open ? open.text : '';
  const done = 'message' in data || 'reasoning' in data;
  let text: string;
  if ('messageDelta' in data) text = data.messageSoFar ?? soFar + data.messageDelta;
  else if ('reasoningDelta' in data) text = data.reasoningSoFar ?? soFar + data.reasoningDelta;
  else if ('message' in data) text = data.message ?? soFar;
  else text = data.reasoning;
  if (text === '') return turn;
  const part = {
    kind,
    stepIndex,
    text,
    done,
    ...('finishReason' in data && { finishReason: data.finishReason }),
  } as const;
  return open ? { ...turn, parts: parts.with(position, part) } : withPart(turn, part);
}

/**
 * Applies `change` to the call's part in whichever turn made the call (an approved call ends during a later turn).
 * A call nobody has seen gets its part in the event's own turn.
 */
function changeTool(
  transcript: Transcript,
  coordinates: Coordinates & { stepIndex: number },
  at: string,
  { callId, toolName }: { callId: string; toolName: string },
  change: (tool: ToolPart) => ToolPart,
): Transcript {
  const isCall = (part: TurnPart) => part.kind === 'tool' && part.callId === callId;
  const owner =
    transcript.turns.find((turn) => turn.id === coordinates.turnId && turn.parts.some(isCall)) ??
    transcript.turns.findLast((turn) => turn.parts.some(isCall));
  if (owner) {
    return changeTurn(transcript, { turnId: owner.id, sequence: owner.sequence }, at, (turn) =>
      mapParts(turn, (part) => (part.kind === 'tool' && part.callId === callId ? change(part) : part)),
    );
  }
  const { stepIndex } = coordinates;
  const made = { kind: 'tool', stepIndex, callId, toolName, inputText: '', retries: 0 } as const;
  return changeTurn(transcript, coordinates, at, (turn) =>
    withPart(turn, change({ ...made, state: 'streaming-input' })),
  );
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

/** A model step of a later turn means that whatever questions are still open were passed over. */
function dismissQuestions(transcript: Transcript, sequence: number): Transcript {
  if (transcript.requests.length === 0) return transcript;
  const turnIds = new Set(transcript.turns.filter((turn) => turn.sequence < sequence).map((turn) => turn.id));
  return transcript.requests
    .filter((request) => request.kind !== 'tool-approval' && turnIds.has(request.turnId))
    .reduce((next, { requestId }) => closeRequest(next, requestId, 'dismissed'), transcript);
}
