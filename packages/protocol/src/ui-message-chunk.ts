import { z } from 'zod';

const text = { id: z.string() };
const call = { toolCallId: z.string() };
const namedCall = { ...call, toolName: z.string(), dynamic: z.literal(true).optional() };

/**
 * The chunks of the event stream. Stock clients fail on types that are not of the UI message stream protocol, and their
 * first releases on unknown fields too: so nothing is added to these.
 */
export const uiMessageChunkSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), messageId: z.string().optional() }),
  z.strictObject({ type: z.literal('start-step') }),
  z.strictObject({ type: z.literal('reasoning-start'), ...text }),
  z.strictObject({ type: z.literal('reasoning-delta'), ...text, delta: z.string() }),
  z.strictObject({ type: z.literal('reasoning-end'), ...text }),
  z.strictObject({ type: z.literal('text-start'), ...text }),
  z.strictObject({ type: z.literal('text-delta'), ...text, delta: z.string() }),
  z.strictObject({ type: z.literal('text-end'), ...text }),
  z.strictObject({ type: z.literal('tool-input-start'), ...namedCall }),
  z.strictObject({ type: z.literal('tool-input-delta'), ...call, inputTextDelta: z.string() }),
  z.strictObject({ type: z.literal('tool-input-available'), ...namedCall, input: z.unknown() }),
  z.strictObject({
    type: z.literal('tool-output-available'),
    ...call,
    output: z.unknown(),
    dynamic: z.literal(true).optional(),
    preliminary: z.literal(true).optional(),
  }),
  z.strictObject({
    type: z.literal('tool-output-error'),
    ...call,
    errorText: z.string(),
    dynamic: z.literal(true).optional(),
  }),
  z.strictObject({ type: z.literal('tool-output-denied'), ...call }),
  z.strictObject({ type: z.literal('tool-approval-request'), ...call, approvalId: z.string() }),
  z.strictObject({
    type: z.literal('source-url'),
    sourceId: z.string(),
    url: z.string(),
    title: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('finish-step') }),
  z.strictObject({
    type: z.literal('finish'),
    finishReason: z.enum(['stop', 'length', 'tool-calls', 'error']).optional(),
  }),
  z.strictObject({ type: z.literal('error'), errorText: z.string() }),
]);

export type UiMessageChunk = z.infer<typeof uiMessageChunkSchema>;

/** The data of the last line; the only one that is not JSON. */
export const endOfStream = '[DONE]';
