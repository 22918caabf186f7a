import { z } from 'zod';
import { httpUrl, name } from './field.ts';
import { widgetSettingsSchema } from './widget.ts';

/** A website that somebody has named. */
export const websiteAddressSchema = z.strictObject({
  url: httpUrl.describe('Its home page, or another page of it.'),
});

const { accent, greeting, prompts } = widgetSettingsSchema.shape;

/** What an agent for a website could be like, by what its home page says of itself. */
export const agentProposalSchema = z.strictObject({
  address: z.string().describe('Where the page was found in the end.'),
  name,
  instructions: z.string().max(100_000),
  /** As the page says it. */
  language: z.string().max(35).nullable(),
  accent: accent.unwrap(),
  greeting: greeting.unwrap(),
  prompts: prompts.unwrap(),
  /** Why the page could not be read, in which case the rest is made of its address alone. */
  problem: z.string().nullable(),
});

/** One page of a source as it was read. */
export const sourcePageSchema = z.strictObject({
  title: z.string(),
  address: z.string().nullable(),
  passages: z.int().nonnegative(),
});

export const promptProposalSchema = z.strictObject({
  prompts: prompts
    .unwrap()
    .describe('What visitors may want to ask, by the titles and headings that were read.'),
});

export type AgentProposal = z.infer<typeof agentProposalSchema>;
export type PromptProposal = z.infer<typeof promptProposalSchema>;
export type SourcePageView = z.infer<typeof sourcePageSchema>;

const finding = z.strictObject({
  code: z.enum([
    'unreadable',
    'missing',
    'other-service',
    'unknown-key',
    'other-agent',
    'agent-inactive',
    'origin-not-allowed',
    'policy',
    'found',
  ]),
  /** What was found, in words. */
  sentence: z.string(),
  /** What mends it, to be copied; null where words are all there is. */
  line: z.string().nullable(),
});

/** What keeps the chat from a page, as far as its HTML tells. */
export const pageCheckSchema = z.strictObject({
  address: z.string().describe('Where the page was found in the end.'),
  ok: z.boolean(),
  findings: z.array(finding),
});

export type PageCheck = z.infer<typeof pageCheckSchema>;
export type PageFinding = PageCheck['findings'][number];
