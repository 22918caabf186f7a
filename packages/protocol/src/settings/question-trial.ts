import { z } from 'zod';
import { sourceSchema } from '../event.ts';

/** As long as a message may be. */
const maxQuestion = 2_000;
/** Of one agent: as many as somebody looks through. */
export const maxSavedQuestions = 20;

const question = z.string().min(1).max(maxQuestion);

export const savedQuestionsSchema = z
  .array(question)
  .max(maxSavedQuestions)
  .describe('What the draft is tried with beside what is live. It applies at once, and no turn sees it.');

export const questionTrialSchema = z.strictObject({
  question,
  of: z.enum(['draft', 'live']).describe('Whose answer is wanted.'),
});

export const questionTrialViewSchema = z.strictObject({
  status: z.enum(['completed', 'waiting', 'failed']).describe('`waiting`: for an approval or an answer.'),
  text: z.string(),
  sources: z.array(sourceSchema),
  durationMs: z.number().nonnegative(),
  modelId: z.string().nullable().describe('The model that answered.'),
  tokens: z.number().nonnegative(),
});

export type QuestionTrialView = z.infer<typeof questionTrialViewSchema>;
