import { z } from 'zod';
import { identifier } from './field.ts';
import { ofAgent, ofTenant } from './page.ts';
import { day } from './period.ts';

/** Days of one answer. */
export const maxUsageDays = 92;

export const usageQuery = z.strictObject({
  ...ofTenant,
  ...ofAgent,
  from: day.optional().describe('The first day, of UTC; by default 29 days before the last.'),
  to: day.optional().describe(`The last day; today by default. ${maxUsageDays} days at most.`),
  format: z.enum(['json', 'csv']).default('json').describe('`json` (the default) or `csv`.'),
});

const count = z.int().nonnegative();
const latency = z.strictObject({ p50: z.number().nullable(), p95: z.number().nullable() });
const latencies = {
  firstDeltaMs: latency.describe('From the beginning of a turn to what a reader sees first of its answer.'),
  wholeTurnMs: latency.describe('Of turns that were completed.'),
};

/** What the turns of an agent were that began on a day, and what visitors thought on it. */
export const dayUsageSchema = z.strictObject({
  day,
  agentId: identifier,
  turns: count,
  completed: count,
  failed: count,
  cancelled: count,
  inputTokens: z.number(),
  outputTokens: z.number(),
  cost: z.number().nullable().describe('Of models that have a price; null: none of them has one.'),
  unpricedTokens: z.number().describe('Of models that have none.'),
  ...latencies,
  failures: z.array(z.strictObject({ cause: z.string(), count })),
  approvals: count.describe('Turns that asked for an approval.'),
  unansweredQuestions: count.describe(
    'Visitors’ questions that no source answered, on the day that they came. Those answered, dismissed or erased since still count.',
  ),
  ratedUp: count,
  ratedDown: count,
});

export const usageViewSchema = z.strictObject({
  from: day,
  to: day,
  currency: z.string().nullable(),
  days: z
    .array(dayUsageSchema)
    .describe('By day and agent; a day on which an agent did nothing is left out.'),
  together: z
    .array(z.strictObject({ day, ...latencies }))
    .describe('The same times of all agents of a day together, which do not follow from those of each.'),
  models: z
    .array(z.strictObject({ modelId: z.string(), tokens: z.number(), priced: z.boolean() }))
    .describe('What was used, and whether it has a price.'),
});

export type DayUsageView = z.infer<typeof dayUsageSchema>;
export type UsageView = z.infer<typeof usageViewSchema>;
