import { isDeepStrictEqual } from 'node:util';
import type { FinishReason, SessionEvent, Source } from '@parley/protocol/event';
import type { UiMessageChunk } from '@parley/protocol/ui-message-chunk';

/** Turns the events of one turn into UI message chunks, in order; one mapper per reader. */
export class ChatChunks {
  readonly #messageId: string;
  readonly #asked: ReadonlyMap<string, unknown> | null;
  /** The calls the reader knows of, with their inputs; undefined while an input is still being written. */
  readonly #calls = new Map<string, unknown>();
  #textId: string | null = null;
  #reasoningId: string | null = null;
  #blocks = 0;
  #finishReason: FinishReason = 'stop';

  /**
   * `messageId` names the assistant message; a turn that continues one carries the same, and `asked` is null then.
   * Otherwise `asked` holds the inputs of calls of an earlier message that this turn may answer.
   */
  constructor(messageId: string, asked: ReadonlyMap<string, unknown> | null) {
    this.#messageId = messageId;
    this.#asked = asked;
  }

  chunks(event: SessionEvent): UiMessageChunk[] {
    switch (event.type) {
      case 'turn.started':
        return [{ type: 'start', messageId: this.#messageId }];
      case 'step.started':
        return [{ type: 'start-step' }];
      case 'reasoning.appended':
        return [
          ...this.#openReasoning(),
          { type: 'reasoning-delta', id: this.#reasoningId!, delta: event.data.reasoningDelta },
        ];
      case 'reasoning.completed':
        return this.#closeReasoning();
      case 'message.appended':
        return [
          ...this.#openText(),
          { type: 'text-delta', id: this.#textId!, delta: event.data.messageDelta },
        ];
      case 'message.completed':
        this.#finishReason = event.data.finishReason;
        return [...this.#closeText(), ...sourceChunks(event.data.sources ?? [])];
      case 'action.appended': {
        const { callId: toolCallId, toolName, inputDelta } = event.data;
        return [
          ...this.#announce(toolCallId, toolName),
          { type: 'tool-input-delta', toolCallId, inputTextDelta: inputDelta },
        ];
      }
      case 'actions.requested':
        return event.data.actions.flatMap(({ callId, toolName, input }) =>
          this.#call(callId, toolName, input),
        );
      case 'action.result': {
        const { status, result, error } = event.data;
        const { callId: toolCallId, toolName, output } = result;
        return [...this.#ofEarlierMessage(toolCallId, toolName), outcome()];

        function outcome(): UiMessageChunk {
          if (status === 'completed') return { type: 'tool-output-available', toolCallId, output };
          if (status === 'rejected') return { type: 'tool-output-denied', toolCallId };
          return { type: 'tool-output-error', toolCallId, errorText: failureText(error?.code) };
        }
      }
      case 'input.requested':
        return event.data.requests.flatMap(({ kind, requestId, action }): UiMessageChunk[] => {
          const call = this.#call(action.callId, action.toolName, action.input);
          if (kind !== 'tool-approval') return call;
          return [
            ...call,
            { type: 'tool-approval-request', approvalId: requestId, toolCallId: action.callId },
          ];
        });
      case 'step.completed':
        this.#finishReason = event.data.finishReason;
        return [
          ...this.#closeReasoning(),
          ...this.#closeText(),
          ...this.#closeCalls(),
          { type: 'finish-step' },
        ];
      case 'turn.completed':
        return [{ type: 'finish', finishReason: sentReason(this.#finishReason) }];
      case 'turn.failed':
        return [{ type: 'error', errorText: event.data.message }];
      case 'turn.cancelled':
        return [{ type: 'error', errorText: 'The answer was stopped.' }];
      case 'session.started':
      case 'session.waiting':
      case 'session.completed':
      case 'session.failed':
      case 'message.received':
      case 'action.partial':
      case 'action.amended':
      case 'action.retried':
      case 'action.delegated':
      case 'input.answered':
      case 'input.approved':
      case 'input.expired':
      case 'approval.delegated':
      case 'authorization.required':
      case 'authorization.completed':
      case 'result.completed':
      case 'step.failed':
      case 'team.joined':
      case 'team.left':
      case 'team.asked':
      case 'team.answered':
      case 'team.away':
      case 'context.cleared':
      case 'compaction.requested':
      case 'compaction.completed':
        return [];
    }
    // The compiler knows of no other type; a newer process may have appended one.
    event satisfies never;
    return [];
  }

  /** A call with its complete input, unless the reader knows it so already. */
  #call(toolCallId: string, toolName: string, input: unknown): UiMessageChunk[] {
    if (isDeepStrictEqual(this.#calls.get(toolCallId), input)) return [];
    const announced = this.#announce(toolCallId, toolName);
    this.#calls.set(toolCallId, input);
    return [...announced, { type: 'tool-input-available', toolCallId, toolName, input }];
  }

  #announce(toolCallId: string, toolName: string): UiMessageChunk[] {
    if (this.#calls.has(toolCallId)) return [];
    this.#calls.set(toolCallId, undefined);
    return [{ type: 'tool-input-start', toolCallId, toolName }];
  }

  /** A client fails on the outcome of a call that its message does not hold. */
  #ofEarlierMessage(toolCallId: string, toolName: string): UiMessageChunk[] {
    if (this.#asked === null || this.#calls.has(toolCallId)) return [];
    return this.#call(toolCallId, toolName, this.#asked.get(toolCallId) ?? {});
  }

  /** Calls that were begun and never made, since their arguments were of no use. */
  #closeCalls(): UiMessageChunk[] {
    return [...this.#calls].flatMap(([toolCallId, input]): UiMessageChunk[] => {
      if (input !== undefined) return [];
      this.#calls.set(toolCallId, null);
      return [{ type: 'tool-output-error', toolCallId, errorText: failureText('INVALID_ARGUMENTS') }];
    });
  }

  #openText(): UiMessageChunk[] {
    if (this.#textId !== null) return [];
    this.#textId = `text-${this.#blocks++}`;
    return [{ type: 'text-start', id: this.#textId }];
  }

  #closeText(): UiMessageChunk[] {
    const id = this.#textId;
    this.#textId = null;
    return id === null ? [] : [{ type: 'text-end', id }];
  }

  #openReasoning(): UiMessageChunk[] {
    if (this.#reasoningId !== null) return [];
    this.#reasoningId = `reasoning-${this.#blocks++}`;
    return [{ type: 'reasoning-start', id: this.#reasoningId }];
  }

  #closeReasoning(): UiMessageChunk[] {
    const id = this.#reasoningId;
    this.#reasoningId = null;
    return id === null ? [] : [{ type: 'reasoning-end', id }];
  }
}

/** What an answer cites, as far as a visitor can open it. */
function sourceChunks(sources: readonly Source[]): UiMessageChunk[] {
  return sources.flatMap(({ number, title, url }) =>
    url === undefined ? [] : [{ type: 'source-url', sourceId: `source-${number}`, url, title }],
  );
}

/** The four of the specification (section 6.1). */
function sentReason(reason: FinishReason): 'stop' | 'length' | 'tool-calls' | 'error' {
  if (reason === 'content-filter') return 'error';
  return reason === 'other' ? 'stop' : reason;
}

/** What went wrong with a tool, without anything that its far side said. */
function failureText(code: string | undefined): string {
  switch (code) {
    case 'TIMEOUT':
      return 'The tool did not answer in time.';
    case 'UNREACHABLE':
      return 'The tool could not be reached.';
    case 'INVALID_ARGUMENTS':
      return 'The tool was not called: its arguments were not valid.';
    case 'OUTCOME_UNKNOWN':
      return 'The tool was interrupted: it may or may not have taken effect.';
    default:
      return 'The tool failed.';
  }
}
