import { z } from 'zod';
import { maxTokenLength } from './bounds.ts';
import { sessionEventSchema } from './event.ts';

const ok = z.literal(true);
const sessionId = z.string();
const continuationToken = z.string().min(1).max(maxTokenLength);
const noActiveSession = z.object({ ok, status: z.literal('no_active_session') });

export const createResponseSchema = z.object({ ok, sessionId, continuationToken });
export const followUpResponseSchema = z.object({ ok, sessionId });
export const cancelResponseSchema = z.object({
  ok,
  sessionId,
  status: z.enum(['accepted', 'no_active_turn']),
});
export const controlResponseSchema = z.object({ ok, sessionId, status: z.literal('accepted') });
export const noActiveSessionSchema = noActiveSession;
export const resetResponseSchema = z.union([
  z.object({ ok, previousSessionId: sessionId, status: z.enum(['reset', 'accepted']) }),
  noActiveSession,
]);
export const endResponseSchema = z.object({ ok, sessionId, status: z.enum(['completed', 'accepted']) });
export const feedbackResponseSchema = z.object({ ok, sessionId, turnId: z.string() });
export const deleteResponseSchema = z.object({ ok, sessionId, status: z.literal('deleted') });
export const identifyResponseSchema = z.object({ ok, sessionId, status: z.literal('identified') });
const timestamp = z.iso.datetime();
export const transferResponseSchema = z.object({
  ok,
  sessionId,
  token: z.string().describe('What another browser claims the session with, once.'),
  expiresAt: timestamp,
});
export const revokedTransferSchema = z.object({ ok, sessionId, status: z.literal('revoked') });
export const claimedTransferSchema = z.object({ ok, sessionId, continuationToken });
export const readyMailResponseSchema = z.object({
  ok,
  sessionId,
  status: z.enum(['accepted', 'no_active_turn', 'off']),
});
export const sessionListSchema = z.object({
  items: z.array(
    z.object({
      id: sessionId,
      continuationToken,
      status: z.enum(['open', 'completed', 'failed']),
      createdAt: timestamp,
      activeAt: timestamp,
      firstMessage: z
        .string()
        .nullable()
        .describe('The beginning of the first message; null until its turn began.'),
    }),
  ),
  next: z.string().nullable(),
});
export const transcriptSchema = z.object({
  agentName: z.string(),
  status: z.enum(['open', 'completed', 'failed', 'reset']),
  createdAt: timestamp,
  events: z.array(sessionEventSchema),
});
export const healthResponseSchema = z.object({ ok, status: z.literal('ready'), workflowId: z.string() });

export type CreateResponse = z.infer<typeof createResponseSchema>;
export type FollowUpResponse = z.infer<typeof followUpResponseSchema>;
export type CancelResponse = z.infer<typeof cancelResponseSchema>;
export type ControlResponse = z.infer<typeof controlResponseSchema> | z.infer<typeof noActiveSessionSchema>;
export type ResetResponse = z.infer<typeof resetResponseSchema>;
export type EndResponse = z.infer<typeof endResponseSchema>;
export type FeedbackResponse = z.infer<typeof feedbackResponseSchema>;
export type DeleteResponse = z.infer<typeof deleteResponseSchema>;
export type TransferResponse = z.infer<typeof transferResponseSchema>;
export type ReadyMailResponse = z.infer<typeof readyMailResponseSchema>;
export type IdentifyResponse = z.infer<typeof identifyResponseSchema>;
export type SessionList = z.infer<typeof sessionListSchema>;
export type SessionTranscript = z.infer<typeof transcriptSchema>;
export type HealthResponse = z.infer<typeof healthResponseSchema>;
