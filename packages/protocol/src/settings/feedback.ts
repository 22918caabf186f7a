import { z } from 'zod';
import { identifier, timestamp } from './field.ts';

/** What a visitor thought of one turn. */
export const feedbackViewSchema = z.strictObject({
  sessionId: identifier,
  turnId: identifier,
  rating: z.enum(['up', 'down']),
  comment: z.string().nullable(),
  at: timestamp,
});

export type FeedbackView = z.infer<typeof feedbackViewSchema>;
