import type { ModelSettings } from '@parley/protocol/settings/model';

/** What a provider answers, whatever the protocol. */
export interface WireReply {
  readonly reasoning?: string;
  readonly text?: readonly string[];
  /** `input` is what stands on the wire, JSON or not. */
  readonly call?: { readonly id: string; readonly name: string; readonly input: string };
}

/** One provider's protocol, from the provider's side. */
export interface Wire {
  readonly settings: (origin: string) => ModelSettings;
  readonly contentType: string;
  /** The frames of a whole stream. It always reports 11 input and 7 output tokens. */
  readonly frames: (reply: WireReply) => Buffer[];
  /** How many frames at the end hold no content. */
  readonly closing: number;
  /** A frame that the protocol does not allow. */
  readonly malformed: Buffer;
  /** A frame of an event that does not exist yet. */
  readonly unknownEvent: Buffer;
  /** How a prompt is refused that is longer than the model takes, and the limit that the refusal names. */
  readonly tooLong: { readonly body: unknown; readonly tokens?: number };
  /** What a request with effort `high` holds. */
  readonly highEffort: Record<string, unknown>;
  /** What the provider signs its reasoning with, if it wants that back. */
  readonly signature?: string;
  /** Arguments cannot be anything but JSON in this protocol. */
  readonly typedArguments?: boolean;
}

export const serverSentEvent = (data: unknown, event?: string): Buffer =>
  Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);

export const malformedEvent = Buffer.from('data: {"choices":[{"delta":{"con\n\n');
