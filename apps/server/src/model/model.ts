import type { FinishReason, Usage } from '@parley/protocol/event';
import type { AssistantPart, Message } from './message.ts';

export type JsonSchema = Record<string, unknown>;

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/**
 * One model call: a prompt in, a stream of parts out. Messages are JSON all the way down, as the history stores them.
 * When the last one is the model's own, it was cut off, and the model goes on where it stops.
 */
export interface ModelCall {
  readonly instructions: string | undefined;
  readonly messages: readonly Message[];
  readonly tools: readonly OfferedTool[];
  /** The model must answer in words; the tools are given only because the messages name them. */
  readonly toolChoice?: 'none' | undefined;
  /** The reply must be JSON of this schema; it still arrives as `text` parts. */
  readonly outputSchema?: JsonSchema | undefined;
  readonly signal: AbortSignal;
}

/**
 * What a model call yields, in order; `finish` exactly once, last.
 * A `tool-call` whose arguments were not JSON carries `inputError` and `input: undefined`; arguments are not
 * validated here, and a tool that was not offered may be named: the runner judges both.
 */
export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** Reasoning that nobody is shown: it was paid for. */
  | { type: 'hidden'; bytes: number }
  /** What was hidden so far is lost: the call is made again. */
  | { type: 'again' }
  | { type: 'tool-input'; callId: string; toolName: string; delta: string }
  | { type: 'tool-call'; callId: string; toolName: string; input: unknown; inputError?: string }
  | { type: 'finish'; finishReason: FinishReason; usage: Usage; content: readonly AssistantPart[] };

/** What is of the answer. */
export type AnswerPart = Exclude<ModelPart, { type: 'hidden' | 'again' }>;

export interface Model {
  /** As events name it, for example `gpt-5.2` or `scripted`. */
  readonly id: string;
  /**
   * Makes one call. Failures throw `ModelError`; an aborted signal throws its reason. Attempts that fail before the
   * first part of the answer are retried inside (Retry-After honoured, at most 3 tries, 60 s); after it, never.
   */
  stream(call: ModelCall): AsyncIterable<ModelPart>;
}
