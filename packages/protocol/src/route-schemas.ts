import { z } from 'zod';
import { chatAnswerSchema, chatRequestSchema } from './chat.ts';
import { sessionEventSchema } from './event.ts';
import { healthSchema } from './health.ts';
import { problemSchema } from './problem.ts';
import * as session from './session.ts';
import * as settings from './settings.ts';
import { uiMessageChunkSchema } from './ui-message-chunk.ts';
import { widgetConfigSchema } from './widget-config.ts';

/** Every request body, by its name in the reference. */
export const requestSchemas = {
  ChatRequest: chatRequestSchema,
  SessionCreate: session.createRequestSchema,
  SessionFollowUp: session.followUpRequestSchema,
  SessionCancel: session.cancelRequestSchema,
  SessionToken: session.tokenRequestSchema,
  SessionFeedback: session.feedbackRequestSchema,
  TenantCreate: settings.tenantCreateSchema,
  TenantPatch: settings.tenantPatchSchema,
  AgentCreate: settings.agentCreateSchema,
  AgentPatch: settings.agentPatchSchema,
  KeyCreate: settings.keyCreateSchema,
  KeyPatch: settings.keyPatchSchema,
  ToolCreate: settings.toolCreateSchema,
  ToolPatch: settings.toolPatchSchema,
  JsonValue: settings.jsonValueSchema,
  ToolTest: settings.toolTestSchema,
} as const satisfies Record<string, z.ZodType>;

/** Every answer, by its name in the reference. */
export const answerSchemas = {
  Problem: problemSchema,
  ChatReply: chatAnswerSchema,
  UiMessageChunk: uiMessageChunkSchema,
  SessionEvent: sessionEventSchema,
  SessionCreated: session.createAnswerSchema,
  SessionAccepted: session.followUpAnswerSchema,
  SessionCancelled: session.cancelAnswerSchema,
  SessionControlled: session.controlAnswerSchema,
  NoActiveSession: session.noActiveSessionSchema,
  SessionReset: session.resetAnswerSchema,
  SessionEnded: session.endAnswerSchema,
  SessionRated: session.feedbackAnswerSchema,
  SessionDeleted: session.deleteAnswerSchema,
  SessionIdentified: session.identifyAnswerSchema,
  SessionList: session.sessionListSchema,
  SessionTranscript: session.transcriptSchema,
  SessionHealth: session.healthAnswerSchema,
  Health: healthSchema,
  WidgetConfig: widgetConfigSchema,
  Tenant: settings.tenantAnswerSchema,
  TenantList: settings.listAnswer(settings.tenantAnswerSchema),
  Agent: settings.agentAnswerSchema,
  AgentList: settings.listAnswer(settings.agentAnswerSchema),
  Key: settings.keyAnswerSchema,
  KeyList: settings.listAnswer(settings.keyAnswerSchema),
  Tool: settings.toolAnswerSchema,
  ToolList: settings.listAnswer(settings.toolAnswerSchema),
  JsonValue: settings.jsonValueSchema,
  FeedbackList: settings.listAnswer(settings.feedbackAnswerSchema),
  ToolTestResult: settings.toolTestAnswerSchema,
} as const satisfies Record<string, z.ZodType>;

export type RequestName = keyof typeof requestSchemas;
export type AnswerName = keyof typeof answerSchemas;
