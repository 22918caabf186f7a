import { z } from 'zod';
import { maxTokenLength } from './bounds.ts';

/** Of a repeated parameter the first counts; parameters that nobody knows are ignored. */
const firstOfEach = <Shape extends z.ZodObject>(shape: Shape) =>
  z.preprocess(
    (query) =>
      Object.fromEntries(
        Object.entries(Object(query)).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
      ),
    shape,
  );

const noIndex = 'Expected startIndex to be an integer.';

const startIndex = z
  .string()
  .regex(/^-?\d{1,16}$/, noIndex)
  // Zero, where `Number` reads -0.
  .transform((text) => Number(text) || 0)
  .refine(Number.isSafeInteger, noIndex)
  .optional();
const soFar = z.string().optional().describe('`0`: leave the cumulative text out of the deltas.');

export const streamQuerySchema = firstOfEach(
  z.object({
    startIndex: startIndex.describe(
      'Events to skip; negative: begin with that many of the last ones. Default 0.',
    ),
    includeTailIndex: z.string().optional().describe('`1` or `true`: name the last index in a header.'),
    soFar,
  }),
).transform((query) => ({
  /** Events to skip; negative: how many of the last to send. */
  startIndex: query.startIndex ?? 0,
  includeTailIndex: ['1', 'true'].includes(query.includeTailIndex ?? ''),
  /** Whether deltas carry the text so far. */
  soFar: query.soFar !== '0',
}));

/** Of a create and a follow-up, which answer with the stream where `Accept` asks for it. */
export const turnStreamQuerySchema = firstOfEach(
  z.object({
    startIndex: startIndex.describe(
      'Of the stream, as `streamSession` takes it; by default it begins with what is appended from now on: the new turn, or what is left of the one that runs.',
    ),
    soFar,
  }),
).transform((query) => ({ startIndex: query.startIndex ?? null, soFar: query.soFar !== '0' }));

const noCursor = 'Expected cursor to be the next of an earlier page.';
const noLimit = 'Expected limit to be a number from 1 to 100.';

export const sessionListQuerySchema = firstOfEach(
  z.object({
    cursor: z
      .string()
      .regex(/^[\w-]+$/, noCursor)
      .max(maxTokenLength, noCursor)
      .optional()
      .describe('The `next` of the page before.'),
    limit: z
      .string()
      .regex(/^\d{1,3}$/, noLimit)
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= 100, noLimit)
      .default(20)
      .describe('How many items at most, 1-100; 20 by default.'),
  }),
).transform(({ cursor = null, limit }) => ({ cursor, limit }));

const transcriptFormat = z.enum(
  ['text', 'json', 'ndjson'],
  "Expected format to be 'text', 'json' or 'ndjson'.",
);

export const transcriptQuerySchema = firstOfEach(
  z.object({
    format: transcriptFormat.default('text').describe('`text` (the default), `json` or `ndjson`.'),
  }),
);

export const conversationQuerySchema = firstOfEach(
  z.object({
    format: transcriptFormat.default('json').describe('`json` (the default), `ndjson` or `text`.'),
  }),
);

export type TurnStreamQuery = z.infer<typeof turnStreamQuerySchema>;
export type StreamQuery = z.infer<typeof streamQuerySchema>;
export type SessionListQuery = z.infer<typeof sessionListQuerySchema>;
export type TranscriptFormat = z.infer<typeof transcriptQuerySchema>['format'];
