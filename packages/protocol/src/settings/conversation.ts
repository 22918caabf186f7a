import { z } from 'zod';
import { sessionEventSchema } from '../event.ts';
import { identifier, timestamp } from './field.ts';
import { ofAgent, ofTenant, pageQuery } from './page.ts';
import { day } from './period.ts';

/** How a conversation stands. `waiting`: for somebody's approval or answer. */
export const conversationStatuses = ['open', 'waiting', 'ended'] as const;

export const conversationSearch = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe(
    'Words that one of its messages has, all of them, with its visitor and conversation id: capitals and accents do not count, and the last may be the beginning of one, from three characters on. Or the id of one. Those whose last such message is the latest come first.',
  );

export const conversationListQuery = pageQuery({
  ...ofTenant,
  ...ofAgent,
  status: z.enum(conversationStatuses).optional().describe('Only those that stand so.'),
  rating: z.enum(['up', 'down']).optional().describe('Only those with a turn that a visitor rated so.'),
  from: day.optional().describe('Only those with a turn that began on this day (UTC) or later.'),
  to: day.optional().describe('Only those with a turn that began on this day (UTC) or earlier.'),
  search: conversationSearch,
});

/** Where a message says what was looked for. */
export const conversationMatchSchema = z.strictObject({
  before: z.string().describe('What stands in front of it, cut.'),
  words: z.string().describe('The first of the words that it has; empty where it says them in another form.'),
  after: z.string().describe('What follows, cut.'),
});

/** A conversation of an agent with one visitor, as the console lists it. */
export const conversationViewSchema = z.strictObject({
  id: identifier,
  tenantId: identifier,
  agentId: identifier,
  interface: z.enum(['sessions', 'chat']),
  conversationId: z.string().nullable().describe('What whoever sends its messages over Chat calls it.'),
  status: z.enum(conversationStatuses),
  visitor: z.string().nullable().describe('Who the visitor has proved to be; null: anonymous.'),
  firstMessage: z.string().nullable().describe('How it began, cut.'),
  turns: z.int().nonnegative(),
  rating: z.enum(['up', 'down']).nullable().describe('`down` when any of its turns was rated so.'),
  createdAt: timestamp,
  activeAt: timestamp,
  match: conversationMatchSchema
    .optional()
    .describe('In the answer to a search for words: its last message that has them.'),
});

export const eventPageQuery = pageQuery({});

export const conversationStreamQuery = z.strictObject({
  startIndex: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .default(0)
    .describe('The index of the first event to send; 0 by default.'),
});

/** One event of the log, and its place there. */
export const loggedEventSchema = z.strictObject({ index: z.int().nonnegative(), event: sessionEventSchema });

/** What one turn of a conversation took. */
export const turnViewSchema = z.strictObject({
  sequence: z.int().nonnegative(),
  status: z.enum(['running', 'waiting', 'completed', 'failed', 'cancelled']),
  configuration: z.string().nullable().describe('The configuration revision that it ran with.'),
  modelId: z.string().nullable(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cost: z.number().nullable().describe('In the currency of the tenant’s prices; null: its model has none.'),
  startedAt: timestamp,
  firstDeltaAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
});

export const conversationTranscriptQuery = z.strictObject({
  format: z.enum(['text', 'json', 'ndjson']).default('text').describe('`text`, `json` or `ndjson`.'),
});

export type ConversationStatus = (typeof conversationStatuses)[number];
export type ConversationMatch = z.infer<typeof conversationMatchSchema>;
export type ConversationView = z.infer<typeof conversationViewSchema>;
export type LoggedEvent = z.infer<typeof loggedEventSchema>;
export type TurnView = z.infer<typeof turnViewSchema>;
