import { z } from 'zod';
import { identifier, timestamp } from './field.ts';
import { answerText, questionText } from './source.ts';

const questionId = z.string().min(1).max(100).describe('The `id` of the question in the list.');

/** What visitors asked and no source answered. */
export const openQuestionSchema = z.strictObject({
  id: questionId,
  question: z.string(),
  /** How often, in all conversations that are still kept. */
  asked: z.int().positive(),
  lastAskedAt: timestamp,
  /** A conversation in which it was asked. */
  sessionId: identifier,
});

export const questionAnswerSchema = z.strictObject({
  questionId,
  question: questionText,
  answer: answerText,
});
export const questionDismissalSchema = z.strictObject({ questionId });

export type OpenQuestionView = z.infer<typeof openQuestionSchema>;
