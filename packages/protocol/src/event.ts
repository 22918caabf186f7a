import { z } from 'zod';
import { inputRequestSchema, toolCallAction } from './ask.ts';
import { maxOutputBytes } from './bounds.ts';
import { eventIdPattern } from './ids.ts';

const turn = { sequence: z.number().int().nonnegative(), turnId: z.string() };
const step = { ...turn, stepIndex: z.number().int().nonnegative() };

export const finishReasonSchema = z.enum([
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'error',
  'other',
]);

export const usageSchema = z.object({
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  cacheReadTokens: z.number().optional(),
  cacheWriteTokens: z.number().optional(),
});

export const messagePartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('file'),
    mediaType: z.string(),
    filename: z.string().optional(),
    size: z.number().optional(),
    url: z.string().optional(),
  }),
]);

const toolResult = z.object({
  kind: z.literal('tool-result'),
  callId: z.string(),
  toolName: z.string(),
  output: z
    .unknown()
    .describe(
      `Of a result over ${maxOutputBytes} bytes of JSON its beginning as text, with a note of how long it was.`,
    ),
  isError: z.boolean().optional(),
});

/** Who speaks. Absent: the visitor of what was received, the agent of all else. */
export const authorSchema = z.object({
  kind: z.enum(['visitor', 'agent', 'team']),
  name: z.string().optional(),
  avatarUrl: z.string().optional(),
});
export type Author = z.infer<typeof authorSchema>;
const author = authorSchema.optional();

const teamMember = z.object({ id: z.string(), name: z.string() });

export const sourceSchema = z.object({
  number: z.number().int().positive().describe('The answer cites it as `[number]`.'),
  title: z.string(),
  url: z.string().optional(),
});

const failure = { code: z.string(), message: z.string(), details: z.unknown().optional() };

const data = {
  'session.started': z.object({
    runtime: z
      .object({ agentId: z.string(), agentName: z.string().optional(), modelId: z.string() })
      .catchall(z.string())
      .describe('With the version of the service, as `<platform>Version`.')
      .optional(),
  }),
  'turn.started': z.object({
    ...turn,
    author,
    configuration: z
      .string()
      .describe(
        "The revision of the agent's settings and tools that the turn runs with: opaque, another after each change that a turn can see. Absent where they could not be read.",
      )
      .optional(),
    revision: z
      .number()
      .int()
      .describe(
        "The agent's revision, as the settings list it. Absent for a draft, and where it could not be read.",
      )
      .optional(),
  }),
  'message.received': z.object({
    ...turn,
    author,
    clientMessageId: z.string().describe('What the sender calls the message.').optional(),
    message: z.string(),
    parts: z.array(messagePartSchema),
  }),
  'step.started': z.object(step),
  'reasoning.appended': z.object({
    ...step,
    reasoningDelta: z.string(),
    reasoningSoFar: z.string().optional(),
  }),
  'reasoning.completed': z.object({ ...step, reasoning: z.string() }),
  'message.appended': z.object({
    ...step,
    author,
    messageDelta: z.string(),
    messageSoFar: z.string().optional(),
  }),
  'message.completed': z.object({
    ...step,
    author,
    message: z.string().nullable(),
    finishReason: finishReasonSchema,
    sources: z
      .array(sourceSchema)
      .describe('What the message cites of what its turn has found. Absent: it cites nothing.')
      .optional(),
  }),
  'action.appended': z.object({ ...step, callId: z.string(), toolName: z.string(), inputDelta: z.string() }),
  'actions.requested': z.object({ ...step, actions: z.array(toolCallAction) }),
  'action.partial': z.object({ ...step, result: toolResult }),
  'action.retried': z.object({ ...step, callId: z.string() }),
  'action.delegated': z.object({ ...step, callId: z.string(), toolName: z.string(), input: z.unknown() }),
  'action.amended': z
    .object({
      ...step,
      callId: z.string(),
      toolName: z.string(),
      requestId: z.string().describe('What was asked, and is asked no longer: `input.requested` follows.'),
      member: teamMember.describe('Who did. Readers with a key are not told.').optional(),
      before: z.record(z.string(), z.unknown()).describe('What it was to be called with.'),
      after: z.record(z.string(), z.unknown()).describe('What it is to be called with.'),
    })
    .describe('A member of the team has changed the arguments of a call that waits for an approval.'),
  'action.result': z.object({
    ...step,
    result: toolResult,
    status: z.enum(['completed', 'failed', 'rejected']),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
  'input.requested': z.object({ ...step, requests: z.array(inputRequestSchema) }),
  'input.answered': z.object({
    ...turn,
    requestId: z.string(),
    optionId: z.string().optional(),
    text: z.string().optional(),
    by: z.enum(['visitor', 'team']),
    member: teamMember
      .describe('Of the team: who answered, as they were called then. Readers with a key are not told.')
      .optional(),
  }),
  'input.approved': z
    .object({
      ...turn,
      requestId: z.string(),
      by: z.enum(['visitor', 'team']),
      member: teamMember
        .describe('Of the team: who approved, as they were called then. Readers with a key are not told.')
        .optional(),
      given: z.number().int().positive().describe('How many have approved by now.'),
      needed: z.number().int().positive().describe('How many have to.'),
    })
    .describe(
      'Somebody has approved what more than one has to: it goes on to wait. `input.answered` comes with the last.',
    ),
  'input.expired': z.object({ ...turn, requestId: z.string() }),
  'approval.delegated': z
    .object({
      ...turn,
      requestId: z.string(),
      from: teamMember.nullable().describe('Who handed it on. Null for all but the team.'),
      to: teamMember.nullable().describe('Whom it is asked of now. Null for all but the team.'),
      line: z.string().nullable().describe('What was said along with it. Null for all but the team.'),
    })
    .describe('A member of the team has handed an approval to another one. Others may answer it still.'),
  'authorization.required': z.object({
    ...step,
    name: z.string(),
    description: z.string(),
    authorization: z.record(z.string(), z.unknown()).optional(),
    webhookUrl: z.string().optional(),
  }),
  'authorization.completed': z.object({
    ...step,
    name: z.string(),
    outcome: z.enum(['authorized', 'declined', 'failed', 'timed-out']),
    authorization: z.record(z.string(), z.unknown()).optional(),
    reason: z.string().optional(),
  }),
  'result.completed': z.object({ ...step, result: z.unknown() }),
  'step.completed': z.object({ ...step, finishReason: finishReasonSchema, usage: usageSchema.optional() }),
  'step.failed': z.object({ ...step, ...failure }),
  'turn.completed': z.object(turn),
  'turn.cancelled': z.object(turn),
  'turn.failed': z.object({ ...turn, ...failure }),
  'team.joined': z
    .object({ ...turn, author: authorSchema })
    .describe('A member of the team answers from here on, and the agent is not asked.'),
  'team.left': z
    .object({
      ...turn,
      author: authorSchema,
      summary: z
        .string()
        .nullable()
        .describe('What the agent is told of it. Readers with a publishable key get null.'),
    })
    .describe('The agent answers again.'),
  'team.asked': z
    .object({
      ...step,
      requestId: z.string(),
      question: z.string().nullable().describe('Null for all but the team.'),
      expiresAt: z.iso.datetime().describe('Until when the team can answer.'),
    })
    .describe('The agent asks the team, and its turn waits for the answer.'),
  'team.answered': z
    .object({
      ...turn,
      requestId: z.string(),
      outcome: z
        .enum(['answered', 'expired', 'withdrawn'])
        .describe('`expired`: nobody answered in time; `withdrawn`: the agent waits for no answer any more.'),
      answer: z.string().nullable().describe('Null for all but the team, and where there is none.'),
      author: authorSchema.nullable().describe('Who answered. Null for all but the team.'),
    })
    .describe('What the agent asked the team is over.'),
  'team.away': z
    .object({
      ...turn,
      reason: z
        .enum(['hours', 'nobody'])
        .describe('`hours`: it is outside of the working hours; `nobody`: no member has the inbox open.'),
      message: z.string().nullable().describe('What the team says of it in words of its own.'),
    })
    .describe('The visitor waits for the team, and nobody of it was there when they began to.'),
  'context.cleared': z.object({ ...turn, sessionId: z.string() }),
  'compaction.requested': z.object({
    ...turn,
    modelId: z.string(),
    sessionId: z.string(),
    usageInputTokens: z.number().nullable(),
  }),
  'compaction.completed': z.object({ ...turn, modelId: z.string(), sessionId: z.string() }),
  'session.waiting': z.object({ wait: z.literal('next-user-message'), continuationToken: z.string() }),
  'session.failed': z.object({ ...failure, sessionId: z.string() }),
} as const;

const meta = z.object({ at: z.iso.datetime(), id: z.string().regex(eventIdPattern) });

type DataSchemas = typeof data;
export type EventDataByType = { [T in keyof DataSchemas]: z.infer<DataSchemas[T]> };
export type EventMeta = z.infer<typeof meta>;

/** One line of the Sessions stream, as `sessions-protocol` section 3 tables it. `session.completed` alone has no data. */
export type SessionEvent =
  | { [T in keyof DataSchemas]: { type: T; data: EventDataByType[T]; meta: EventMeta } }[keyof DataSchemas]
  | { type: 'session.completed'; meta: EventMeta };

export type SessionEventType = SessionEvent['type'];
export type FinishReason = z.infer<typeof finishReasonSchema>;
export type Usage = z.infer<typeof usageSchema>;
export type Source = z.infer<typeof sourceSchema>;
export type MessagePart = z.infer<typeof messagePartSchema>;
export type ToolResult = z.infer<typeof toolResult>;

export const eventDataSchemas: DataSchemas = data;
export const eventMetaSchema = meta;

const eventSchemas = Object.entries(data).map(([type, schema]) =>
  z.object({ type: z.literal(type), data: schema, meta }),
);

/**
 * Any event of the stream. Readers ignore types they do not know; this schema is for writers and tests. The compiler
 * cannot follow the list made from `data`, hence the cast; `SessionEvent` is derived from the same schemas.
 */
export const sessionEventSchema: z.ZodType<SessionEvent> = z.union([
  ...eventSchemas,
  z.object({ type: z.literal('session.completed'), meta }),
  // A union made from a list of pairs: its type has lost which data belongs to which name.
]) as unknown as z.ZodType<SessionEvent>;
