import type { Author, EventDataByType, SessionEvent } from '@parley/protocol/event';
import type { Transcript } from './transcript.ts';
import type { Turn, TurnPart } from './turn.ts';

export type Coordinates = { turnId: string; sequence: number };

/**
 * The part of `reduceTranscript` that plain talk needs: texts, and how turns go well. What else there is, it
 * leaves to `rest`, and so the questions that a new step passes over.
 */
export function reduceTurns(
  transcript: Transcript,
  event: SessionEvent,
  rest: (transcript: Transcript, event: SessionEvent) => Transcript,
): Transcript {
  const at = event.meta?.at ?? '';
  const inTurn = (coordinates: Coordinates, change: (turn: Turn) => Turn) =>
    changeTurn(transcript, coordinates, at, change);

  switch (event.type) {
    case 'turn.started':
      return { ...inTurn(event.data, (turn) => spokenBy(turn, event.data)), status: 'working' };
    case 'message.received': {
      const { message: text, parts, clientMessageId: id, author } = event.data;
      return inTurn(event.data, (turn) => {
        // A text that had to wait for an approval is received again when it is its turn to be answered.
        const isSame = ({ user }: Turn) => (id ? user?.id === id : user?.text === text);
        if (turn.parts.length > 0 && transcript.turns.some(isSame)) return turn;
        return { ...turn, user: { text, parts, ...(id && { id }), ...(author && { author }) } };
      });
    }
    case 'step.started':
      return rest(inTurn(event.data, closeOpenParts), event);
    case 'message.appended':
    case 'message.completed':
      return inTurn(event.data, (turn) => writeText(spokenBy(turn, event.data), event.data));
    case 'reasoning.appended':
    case 'reasoning.completed':
      return inTurn(event.data, (turn) => writeText(turn, event.data));
    case 'step.completed':
      return inTurn(event.data, closeOpenParts);
    case 'turn.completed':
      return inTurn(event.data, (turn) => ({ ...closeOpenParts(turn), status: 'completed' }));
    case 'session.waiting':
      return {
        ...settleTurns(transcript, 'completed'),
        status: 'idle',
        continuationToken: event.data.continuationToken,
      };
    default:
      return rest(transcript, event);
  }
}

const spokenBy = (turn: Turn, { author }: { author?: Author | undefined }): Turn =>
  author ? { ...turn, author } : turn;

/** Applies `change` to the turn, which is made first, in its place, if a reader came in after its beginning. */
export function changeTurn(
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
export function mapChanged<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const mapped = items.map(change);
  return mapped.every((item, position) => item === items[position]) ? items : mapped;
}

export const withPart = (turn: Turn, part: TurnPart): Turn => ({ ...turn, parts: [...turn.parts, part] });

export function mapParts(turn: Turn, change: (part: TurnPart) => TurnPart): Turn {
  const parts = mapChanged(turn.parts, change);
  return parts === turn.parts ? turn : { ...turn, parts };
}

/** Like `filter`, but the same array when nothing goes. */
export function without<Item>(items: readonly Item[], goes: (item: Item) => boolean): readonly Item[] {
  return items.some(goes) ? items.filter((item) => !goes(item)) : items;
}

/** A call still streaming its input here was never made: the model's arguments were unusable. */
export function closeOpenParts(turn: Turn, running?: 'cancelled'): Turn {
  return mapParts(turn, (part) => {
    if ('done' in part) return part.done ? part : { ...part, done: true };
    if (part.kind !== 'tool') return part;
    if (part.state === 'streaming-input') return { ...part, state: running ?? 'failed' };
    return part.state === 'running' && running ? { ...part, state: running } : part;
  });
}

/** At a boundary nothing is running, whatever this reader has missed. */
export function settleTurns(
  transcript: Transcript,
  status: 'completed' | 'failed',
  running?: 'cancelled',
): Transcript {
  return {
    ...transcript,
    marks: without(transcript.marks, (mark) => mark.kind === 'compacting'),
    turns: mapChanged(transcript.turns, (turn) =>
      turn.status === 'running' ? { ...closeOpenParts(turn, running), status } : turn,
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
    ...('sources' in data && data.sources && { sources: data.sources }),
  } as const;
  return open ? { ...turn, parts: parts.with(position, part) } : withPart(turn, part);
}
