import { z } from 'zod';
import { boundedObject } from '../bounded-json.ts';
import { httpUrl, identifier } from './field.ts';
import { toolCreateSchema, toolPatchSchema } from './tool.ts';

const input = boundedObject.default({}).describe('The arguments of the call.');

export const toolTestSchema = z.strictObject({
  input,
  changes: toolPatchSchema.describe('Tried with these changes, which are not stored.').optional(),
});

/** A tool that is not stored yet. */
export const newToolTestSchema = z.strictObject({ tool: toolCreateSchema, input });

const texts = z.record(z.string(), z.string());

export const toolTestViewSchema = z.strictObject({
  status: z.enum(['completed', 'failed']),
  durationMs: z.number().nonnegative(),
  output: z.unknown().describe('What the model is given.'),
  request: z
    .strictObject({
      method: z.string(),
      url: z.string(),
      headers: texts,
      body: z.string().nullable(),
    })
    .describe('What was sent, with every secret as `[redacted]`; null: nothing was.')
    .nullable(),
  response: z
    .strictObject({
      status: z.int(),
      headers: texts.describe('`content-type`, `etag` and `location`, where there are.'),
      body: z.string().describe('Secrets that it repeats are `[redacted]`.'),
      cut: z.boolean().describe('There is more of it.'),
    })
    .describe('What came back; null: nothing did.')
    .nullable(),
});

/** Where the description of an API is read from, for an agent whose tools are made of it. */
export const toolDocumentSchema = z.strictObject({ agentId: identifier, url: httpUrl });
export const toolDocumentViewSchema = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('read'), address: z.string(), text: z.string() }),
  z.strictObject({ status: z.literal('failed'), message: z.string() }),
]);

export type ToolTestView = z.infer<typeof toolTestViewSchema>;
export type ToolDocumentView = z.infer<typeof toolDocumentViewSchema>;
