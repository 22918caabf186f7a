import { z } from 'zod';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [name: string]: JsonValue | undefined };

/** Not looked into: what is read from the store or from a provider was JSON. */
const json = z.custom<JsonValue>();

/** What a provider wants back with a part of its own, such as the signature of a thought, by the provider's name. */
const providerOptions = z.custom<Record<string, JsonObject>>(isJsonObject).exactOptional();

const textPart = z.strictObject({ type: z.literal('text'), text: z.string(), providerOptions });

const filePart = z.strictObject({
  type: z.literal('file'),
  mediaType: z.string(),
  filename: z.string().exactOptional(),
  /** The name of a stored file in the history of a user; base64 in what a model is given and what it made. */
  data: z.string(),
  providerOptions,
});

const reasoningPart = z.strictObject({ type: z.literal('reasoning'), text: z.string(), providerOptions });

const toolCallPart = z.strictObject({
  type: z.literal('tool-call'),
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.custom<Record<string, unknown>>(isJsonObject),
  providerOptions,
});

export const assistantPartSchema = z.discriminatedUnion('type', [
  textPart,
  filePart,
  reasoningPart,
  toolCallPart,
]);

/** The result of a tool call as a model reads it. */
export const toolOutputSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), value: z.string() }),
  z.strictObject({ type: z.literal('json'), value: json }),
  z.strictObject({ type: z.literal('error-text'), value: z.string() }),
  z.strictObject({ type: z.literal('error-json'), value: json }),
  z.strictObject({ type: z.literal('execution-denied'), reason: z.string().exactOptional() }),
]);

export type TextPart = z.infer<typeof textPart>;
export type FilePart = z.infer<typeof filePart>;
export type ReasoningPart = z.infer<typeof reasoningPart>;
export type UserPart = TextPart | FilePart;
export type AssistantPart = z.infer<typeof assistantPartSchema>;
export type ToolOutput = z.infer<typeof toolOutputSchema>;

export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: ToolOutput;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly UserPart[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | readonly AssistantPart[];
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly content: readonly ToolResultPart[];
}

/** What the team tells the assistant. It is no message of the conversation: a model reads it among its instructions. */
export interface TeamMessage {
  readonly role: 'team';
  readonly content: string;
}

/** A message of a prompt, as the history stores it: JSON all the way down. */
export type Message = UserMessage | AssistantMessage | ToolMessage | TeamMessage;

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
