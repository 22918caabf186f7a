import { z } from 'zod';
import { maxContextLength, maxIdLength } from './bounds.ts';
import { requestText, tooLong } from './request-text.ts';

const optionSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  description: z.string().optional(),
  style: z.enum(['primary', 'danger', 'default']).optional(),
});

const toolCallSchema = z.strictObject({
  kind: z.literal('tool-call'),
  callId: z.string(),
  toolName: z.string(),
  input: z
    .record(z.string(), z.unknown())
    .describe('Of a question: `multiple: true` if several options may be chosen, or the `fields` of a form.'),
});

/** A question or an approval that waits for the visitor. Strict: `eve@0.30.8` refuses unknown keys here. */
export const inputRequestSchema = z.strictObject({
  requestId: z.string(),
  kind: z.enum(['tool-approval', 'question', 'session-limit']),
  prompt: z.string(),
  action: toolCallSchema,
  display: z.enum(['confirmation', 'select', 'text']).optional(),
  allowFreeform: z.boolean().optional(),
  options: z.array(optionSchema).optional(),
});

const noResponse = "Expected every 'inputResponses' entry to match the HITL response schema.";
const id = (field: string) =>
  requestText('inputResponses', noResponse).max(maxIdLength, tooLong(`inputResponses.${field}`, maxIdLength));

export const inputResponseSchema = z.strictObject(
  {
    requestId: id('requestId'),
    optionId: id('optionId')
      .describe('All that counts for an approval: exactly `approve` approves.')
      .optional(),
    text: requestText('inputResponses', noResponse)
      .max(maxContextLength, tooLong('inputResponses.text', maxContextLength))
      .describe(
        'Words; for several choices a JSON list of ids and `{"other": words}`, for a form a JSON object by the names of its fields.',
      )
      .optional(),
  },
  noResponse,
);

export const toolCallAction = toolCallSchema;

export type InputOption = z.infer<typeof optionSchema>;
export type InputRequest = z.infer<typeof inputRequestSchema>;
export type InputResponse = z.infer<typeof inputResponseSchema>;
export type ToolCallAction = z.infer<typeof toolCallSchema>;
