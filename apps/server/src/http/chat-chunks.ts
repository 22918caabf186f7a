import type { FinishReason, SessionEvent } from '@parley/protocol/event';
import type { UiMessageChunk } from '@parley/protocol/ui-message-chunk';

/** Turns the events of one turn into UI message chunks, in order; one mapper per reader. */
export class ChatChunks {
  readonly #messageId: string;
  readonly #announced = new Set<string>();
  #textId: string | null = null;
  #reasoningId: string | null = null;
  #blocks = 0;
  #finishReason: FinishReason = 'stop';

  /** `messageId` names the assistant message; a turn that continues one carries the same. */
  constructor(messageId: string) {
    this.#messageId = messageId;
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
        return this.#closeText();
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
        const toolCallId = result.callId;
        if (status === 'completed')
          return [{ type: 'tool-output-available', toolCallId, output: result.output }];
        if (status === 'rejected') return [{ type: 'tool-output-denied', toolCallId }];
        return [{ type: 'tool-output-error', toolCallId, errorText: error?.message ?? 'The tool failed.' }];
      }
      case 'input.requested':
        return event.data.requests.flatMap(({ kind, requestId, action }): UiMessageChunk[] =>
          kind === 'tool-approval'
            ? [{ type: 'tool-approval-request', approvalId: requestId, toolCallId: action.callId }]
            : this.#call(action.callId, action.toolName, action.input),
        );
      case 'step.completed':
        this.#finishReason = event.data.finishReason;
        return [...this.#closeReasoning(), ...this.#closeText(), { type: 'finish-step' }];
      case 'turn.completed':
        return [{ type: 'finish', finishReason: sentReason(this.#finishReason) }];
      case 'turn.failed':
        return [{ type: 'error', errorText: event.data.message }];
      case 'turn.cancelled':
        return [{ type: 'error', errorText: 'The answer was stopped.' }];
      default:
        return [];
    }
  }

  #call(toolCallId: string, toolName: string, input: unknown): UiMessageChunk[] {
    return [
      ...this.#announce(toolCallId, toolName),
      { type: 'tool-input-available', toolCallId, toolName, input },
    ];
  }

  #announce(toolCallId: string, toolName: string): UiMessageChunk[] {
    if (this.#announced.has(toolCallId)) return [];
    this.#announced.add(toolCallId);
    return [{ type: 'tool-input-start', toolCallId, toolName }];
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

/** The four of the specification (section 6.1). */
function sentReason(reason: FinishReason): 'stop' | 'length' | 'tool-calls' | 'error' {
  if (reason === 'content-filter') return 'error';
  return reason === 'other' ? 'stop' : reason;
}
