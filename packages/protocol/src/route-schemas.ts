import { z } from 'zod';
import { chatAnswerSchema, chatRequestSchema } from './chat.ts';
import { sessionEventSchema } from './event.ts';
import { fileUploadedSchema } from './file-part.ts';
import { healthSchema } from './health.ts';
import { problemSchema } from './problem.ts';
import * as session from './session.ts';
import { agentAnswerSchema, agentCreateSchema, agentPatchSchema } from './settings/agent.ts';
import { listAnswer, unreadableSchema } from './settings/answer.ts';
import { feedbackAnswerSchema } from './settings/feedback.ts';
import { keyAnswerSchema, keyCreateSchema, keyPatchSchema } from './settings/key.ts';
import { serviceStatusSchema } from './settings/status.ts';
import { tenantAnswerSchema, tenantCreateSchema, tenantPatchSchema } from './settings/tenant.ts';
import {
  toolAnswerSchema,
  toolCreateSchema,
  toolPatchSchema,
  toolTestAnswerSchema,
  toolTestSchema,
} from './settings/tool.ts';
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
  TenantCreate: tenantCreateSchema,
  TenantPatch: tenantPatchSchema,
  AgentCreate: agentCreateSchema,
  AgentPatch: agentPatchSchema,
  KeyCreate: keyCreateSchema,
  KeyPatch: keyPatchSchema,
  ToolCreate: toolCreateSchema,
  ToolPatch: toolPatchSchema,
  ToolTest: toolTestSchema,
} as const satisfies Record<string, z.ZodType>;

/** Every answer, by its name in the reference. */
export const answerSchemas = {
  Problem: problemSchema,
  ChatReply: chatAnswerSchema,
  UiMessageChunk: uiMessageChunkSchema,
  SessionEvent: sessionEventSchema,
  SessionCreated: session.createAnswerSchema,
  SessionAccepted: session.followUpAnswerSchema,
  FileUploaded: fileUploadedSchema,
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
  Tenant: tenantAnswerSchema,
  TenantList: listAnswer(tenantAnswerSchema),
  Agent: agentAnswerSchema,
  AgentList: listAnswer(z.union([agentAnswerSchema, unreadableSchema])),
  Key: keyAnswerSchema,
  KeyList: listAnswer(keyAnswerSchema),
  Tool: toolAnswerSchema,
  ToolList: listAnswer(z.union([toolAnswerSchema, unreadableSchema])),
  FeedbackList: listAnswer(feedbackAnswerSchema),
  ServiceStatus: serviceStatusSchema,
  ToolTestResult: toolTestAnswerSchema,
} as const satisfies Record<string, z.ZodType>;

export type RequestName = keyof typeof requestSchemas;
export type AnswerName = keyof typeof answerSchemas;
