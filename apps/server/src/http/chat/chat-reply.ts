import { dayMs } from '../../store/day-ms.ts';
import { highWaterBytes } from '../connection/high-water-bytes.ts';
import type { ReplyMode } from '@parley/protocol/negotiate';
import { failureDetailsSchema } from '@parley/protocol/failure-cause';
import type { ChatReply } from '@parley/protocol/chat';
import type { SessionEvent, Usage } from '@parley/protocol/event';
import { uiMessageStreamHeader, uiMessageStreamVersion } from '@parley/protocol/paths';
import { type UiMessageChunk, endOfStream } from '@parley/protocol/ui-message-chunk';
import type { Response } from 'express';
import { redactEvent } from '../../events/redact-event.ts';
import type { TurnReader } from '../../events/subscribe-to-turn.ts';
import type { Subscription } from '../../events/subscribe.ts';
import type { StoredEvent } from '../../store/event-store.ts';
import { requestIdOf } from '../middleware/request-id.ts';
import { ChatChunks } from './chat-chunks.ts';
import type { ChatTurns } from './chat-turns.ts';
import type { Heartbeat } from '../connection/heartbeat.ts';
import { ProblemError, sendProblem } from '../problem.ts';

export interface ReplyTurn {
  readonly sessionId: string;
  readonly itemId: string;
  readonly mode: ReplyMode;
  readonly conversationId: string;
  readonly messageId: string;
  /**
   * The inputs, by call id, of the calls that an earlier message of the assistant asked approval for; null when
   * the reply goes on with that very message.
   */
  readonly asked: ReadonlyMap<string, unknown> | null;
  /** The reader sees what concealed tools are given and answer. */
  readonly full: boolean;
}

interface ReplyDeps {
  readonly turns: ChatTurns;
  readonly heartbeat: Heartbeat;
}

/** A reader of one turn that answers a Chat request with it. `attach` hands it what it follows. */
export interface ChatReader extends TurnReader {
  attach(following: Subscription): void;
  /** Ends the reply with `problem`, or cuts it off where it has begun. `patient`: its turn waits for the reader to come back, as after a lost connection. */
  cut(problem: ProblemError, patient: boolean): void;
}

/** The reply in the mode asked for. Nothing is sent before the turn says something, so that an early failure has a status. */
export function chatReader(deps: ReplyDeps, response: Response, turn: ReplyTurn): ChatReader {
  const writer = writers[turn.mode](response, turn);
  const reading = deps.turns.read(turn.sessionId, turn.itemId);
  const leaveHeartbeat = deps.heartbeat.join(() => writer.beat());
  let following: Subscription | null = null;
  let over = false;

  const leave = () => {
    leaveHeartbeat();
    if (over) return;
    reading.left(turn.mode !== 'json');
    following?.resume();
  };
  if (response.closed) leave();
  else response.once('close', leave);
  response.on('drain', () => following?.resume());

  return {
    attach(attached) {
      following = attached;
    },
    take(stored: StoredEvent) {
      if (response.closed) return true;
      writer.take(redactEvent(stored, turn.full ? 'full' : 'status'));
      return response.writableLength < highWaterBytes;
    },
    cut(problem, patient) {
      if (over) return;
      over = true;
      leaveHeartbeat();
      following?.stop();
      reading.left(patient && turn.mode !== 'json');
      if (response.closed) return;
      if (!response.headersSent) sendProblem(response, problem, requestIdOf(response));
      else if (response.writableNeedDrain) response.destroy();
      else writer.fail(null);
    },
    end(last) {
      over = true;
      leaveHeartbeat();
      reading.finished();
      if (response.closed) return;
      if (last?.type === 'turn.completed') writer.complete();
      else if (response.headersSent) writer.fail(last);
      else sendProblem(response, turnProblem(last, turn.full), requestIdOf(response));
    },
  };
}

interface ReplyWriter {
  take(event: SessionEvent): void;
  complete(): void;
  /** The turn failed after something was sent; `null` when the log cannot say how. */
  fail(last: SessionEvent | null): void;
  beat(): void;
}

const writers: Record<ReplyMode, (response: Response, turn: ReplyTurn) => ReplyWriter> = {
  json: jsonWriter,
  'plain-text': textWriter,
  'event-stream': eventStreamWriter,
};

function jsonWriter(response: Response, { conversationId, full }: ReplyTurn): ReplyWriter {
  let text = '';
  let usage: ChatReply['usage'];
  return {
    take(event) {
      if (event.type === 'message.appended') text += event.data.messageDelta;
      if (event.type === 'step.completed' && event.data.usage) usage = added(usage, event.data.usage);
    },
    complete() {
      const reply: ChatReply = { id: conversationId, text, ...(full && usage && { usage }) };
      response.json(reply);
    },
    fail: () => void response.destroy(),
    beat: () => undefined,
  };
}

function added(
  { inputTokens, outputTokens }: NonNullable<ChatReply['usage']> = { inputTokens: 0, outputTokens: 0 },
  step: Usage,
): NonNullable<ChatReply['usage']> {
  return {
    inputTokens: inputTokens + (step.inputTokens ?? 0),
    outputTokens: outputTokens + (step.outputTokens ?? 0),
  };
}

function textWriter(response: Response): ReplyWriter {
  const head = () => {
    if (response.headersSent) return;
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.setHeader('cache-control', 'no-store, no-transform');
    response.setHeader('x-accel-buffering', 'no');
    response.setHeader('connection', 'close');
  };
  return {
    take(event) {
      if (event.type !== 'message.appended') return;
      head();
      response.write(event.data.messageDelta);
    },
    complete() {
      head();
      response.end();
    },
    fail: () => void response.destroy(),
    beat: () => undefined,
  };
}

function eventStreamWriter(response: Response, { messageId, asked }: ReplyTurn): ReplyWriter {
  const mapper = new ChatChunks(messageId, asked);
  /** What came before the turn said anything: sent with its first word, or not at all. */
  let preamble = '';

  const send = (text: string, worthSending: boolean) => {
    if (!response.headersSent && !worthSending) {
      preamble += text;
      return;
    }
    if (!response.headersSent) {
      response.setHeader('content-type', 'text/event-stream');
      response.setHeader('cache-control', 'no-cache, no-transform');
      response.setHeader('x-accel-buffering', 'no');
      response.setHeader(uiMessageStreamHeader, uiMessageStreamVersion);
    }
    response.write(preamble + text);
    preamble = '';
  };
  const done = () => response.end(`${preamble}data: ${endOfStream}\n\n`);

  return {
    take(event) {
      const chunks = mapper.chunks(event);
      if (chunks.length === 0) return;
      const failure = event.type === 'turn.failed' || event.type === 'turn.cancelled';
      if (failure && !response.headersSent) return;
      send(chunks.map(sseEvent).join(''), !silent.has(event.type));
    },
    complete: done,
    fail(last) {
      if (!last) response.write(sseEvent({ type: 'error', errorText: 'The answer was interrupted.' }));
      done();
    },
    beat() {
      if (response.headersSent && response.writableLength === 0) response.write(':\n\n');
    },
  };
}

const silent = new Set<SessionEvent['type']>(['turn.started', 'step.started', 'message.completed']);

function sseEvent(chunk: UiMessageChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function turnProblem(last: SessionEvent | null, full: boolean): ProblemError {
  if (last?.type === 'turn.failed') {
    const { code, message, details } = last.data;
    if (code === 'QUOTA_EXCEEDED')
      return new ProblemError('QUOTA_EXCEEDED', message, { retryAfter: secondsToNextDay(Date.now()) });
    if (code === 'TURN_TIMEOUT') return new ProblemError('TURN_TIMEOUT', message);
    if (code === 'MODEL_CALL_FAILED') {
      const cause = failureDetailsSchema.safeParse(full ? details : null).data?.cause;
      return new ProblemError('MODEL_FAILED', message, { cause });
    }
    return new ProblemError('INTERNAL', message);
  }
  const message = 'The turn was stopped before it said anything. Send the message again.';
  return new ProblemError('UNAVAILABLE', message, { retryAfter: 1 });
}

/** Days of a limit are those of UTC. */
function secondsToNextDay(now: number): number {
  return Math.ceil((dayMs - (now % dayMs)) / 1000);
}
