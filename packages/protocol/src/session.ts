import { z } from 'zod';
import { type InputResponse, inputResponseSchema } from './ask.ts';
import {
  type ActionResult,
  actionResultSchema,
  type ClientTool,
  clientToolSchema,
  maxActionResults,
  maxClientTools,
  parseActionResults,
  parseClientTools,
} from './client-tool.ts';
import { boundedObject, jsonSize } from './bounded-json.ts';
import {
  maxAddressLength,
  maxContextEntries,
  maxContextLength,
  maxEventIndex,
  maxFieldBytes,
  maxFilenameLength,
  maxIdLength,
  maxInlineFileBytes,
  maxInputResponses,
  maxMediaTypeLength,
  maxMessageParts,
  maxTokenLength,
} from './bounds.ts';
import { sessionEventSchema } from './event.ts';
import { type Parsed, parsed, Refusal } from './parsed.ts';
import { boundedText, withoutNul } from './refuse-text.ts';
import { codePoints, jsonFault, maxTextLength, wellFormedJson } from './text.ts';
import { parseUserMessage, type UserMessage } from './user-message.ts';

export type CreateRequest = {
  message: UserMessage;
  /** Each entry goes before the message as `Client context:` and the entry. */
  clientContext: string[];
  outputSchema: Record<string, unknown> | null;
  clientTools: ClientTool[] | null;
  /** False: nobody is there to answer, so the agent may not ask. */
  requestInput: boolean;
};

export type FollowUpRequest = {
  continuationToken: string;
  message: UserMessage | null;
  inputResponses: InputResponse[];
  /** What came of calls that were delegated to the page. */
  actionResults: ActionResult[];
  clientContext: string[];
  outputSchema: Record<string, unknown> | null;
  /** Replaces the page's tools; null: they stay. */
  clientTools: ClientTool[] | null;
  /** The first event that the message's author had not been shown; null where the sender does not say. */
  shownIndex: number | null;
};

export type Feedback = { turnId: string; rating: 'up' | 'down' | null; comment: string | null };

/** The checks and their order are `eve@0.30.8`'s; fields of what is not built are ignored. */
export const parseCreate = (body: unknown): Parsed<CreateRequest> =>
  parsed(() => {
    const fields = objectOrArray(body);
    const message = parseUserMessage(fields['message']);
    const clientContext = parseClientContext(fields['clientContext']);
    const requestInput = parseCapabilities(fields['capabilities']);
    const mode = fields['mode'];
    if (mode !== undefined && mode !== 'conversation' && mode !== 'task') {
      throw new Refusal("Expected 'mode' to be either 'conversation' or 'task'.", 'mode');
    }
    const outputSchema = parseOutputSchema(fields['outputSchema']);
    const clientTools = parseClientTools(fields['clientTools']);
    refuseLongContext(clientContext, []);
    if (!message) throw new Refusal("Missing or empty 'message' field.", 'message');
    return { message, clientContext, outputSchema, clientTools, requestInput };
  });

export const parseFollowUp = (body: unknown): Parsed<FollowUpRequest> =>
  parsed(() => {
    const fields = objectOrArray(body);
    const continuationToken = fields['continuationToken'];
    if (typeof continuationToken !== 'string' || continuationToken === '') {
      throw new Refusal("Missing or empty 'continuationToken' field.", 'continuationToken');
    }
    refuseLong(continuationToken, 'continuationToken', maxTokenLength);
    const message = parseUserMessage(fields['message']);
    const inputResponses = parseInputResponses(fields['inputResponses']);
    const clientContext = parseClientContext(fields['clientContext']);
    const outputSchema = parseOutputSchema(fields['outputSchema']);
    const actionResults = parseActionResults(fields['actionResults']);
    const clientTools = parseClientTools(fields['clientTools']);
    const shownIndex = parseShownIndex(fields['shownIndex']);
    refuseLongContext(clientContext, inputResponses);
    if (!message && inputResponses.length === 0 && actionResults.length === 0) {
      throw new Refusal(
        "Expected a non-empty 'message', a non-empty 'inputResponses' array, or both.",
        'message',
      );
    }
    return {
      continuationToken,
      message,
      inputResponses,
      actionResults,
      clientContext,
      outputSchema,
      clientTools,
      shownIndex,
    };
  });

/** `body` is undefined when the request had none (or white space only). */
export const parseCancel = (body: unknown): Parsed<{ turnId: string | null }> =>
  parsed(() => {
    if (body === undefined) return { turnId: null };
    const { turnId } = plainObject(body);
    if (turnId === undefined) return { turnId: null };
    if (typeof turnId !== 'string' || turnId === '') {
      throw new Refusal("Expected 'turnId' to be a non-empty string.", 'turnId');
    }
    refuseLong(turnId, 'turnId', maxIdLength);
    return { turnId };
  });

/** The body of clear, compact, reset, end and DELETE. */
export const parseToken = (body: unknown): Parsed<{ continuationToken: string }> =>
  parsed(() => {
    const { continuationToken } = plainObject(body);
    if (typeof continuationToken !== 'string' || continuationToken === '') {
      throw new Refusal("Expected 'continuationToken' to be a non-empty string.", 'continuationToken');
    }
    refuseLong(continuationToken, 'continuationToken', maxTokenLength);
    return { continuationToken };
  });

export const parseFeedback = (body: unknown): Parsed<Feedback> =>
  parsed(() => {
    const { turnId, rating, comment } = plainObject(body);
    if (typeof turnId !== 'string' || turnId === '') {
      throw new Refusal("Expected 'turnId' to be a non-empty string.", 'turnId');
    }
    refuseLong(turnId, 'turnId', maxIdLength);
    if (rating !== 'up' && rating !== 'down' && rating !== null) {
      throw new Refusal("Expected 'rating' to be 'up', 'down' or null.", 'rating');
    }
    if (comment === undefined) return { turnId, rating, comment: null };
    if (typeof comment !== 'string') throw new Refusal("Expected 'comment' to be a string.", 'comment');
    return { turnId, rating, comment: boundedText(comment, 'comment') };
  });

export type TranscriptFormat = 'text' | 'json' | 'ndjson';

export const parseTranscriptQuery = (query: URLSearchParams): Parsed<TranscriptFormat> =>
  parsed(() => {
    const format = query.get('format') ?? 'text';
    if (format !== 'text' && format !== 'json' && format !== 'ndjson') {
      throw new Refusal("Expected format to be 'text', 'json' or 'ndjson'.", 'format');
    }
    return format;
  });

export type ListQuery = { cursor: string | null; limit: number };

export const parseListQuery = (query: URLSearchParams): Parsed<ListQuery> =>
  parsed(() => {
    const limit = query.get('limit') ?? '20';
    if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100) {
      throw new Refusal('Expected limit to be a number from 1 to 100.', 'limit');
    }
    const cursor = query.get('cursor');
    if (cursor !== null && (cursor.length > maxTokenLength || !/^[\w-]+$/.test(cursor))) {
      throw new Refusal('Expected cursor to be the next of an earlier page.', 'cursor');
    }
    return { cursor, limit: Number(limit) };
  });

function refuseLong(text: string, field: string, limit: number): void {
  if (text.length > limit)
    throw new Refusal(`Expected '${field}' to have at most ${limit} characters.`, field);
}

function refuseLongContext(context: readonly string[], responses: readonly InputResponse[]): void {
  const answers = responses.flatMap(({ optionId = '', text = '' }) => [optionId, text]);
  const length = [...context, ...answers].reduce((sum, text) => sum + codePoints(text), 0);
  if (length <= maxContextLength) return;
  const field = context.length > 0 ? 'clientContext' : 'inputResponses';
  throw new Refusal(
    `Expected 'clientContext' and 'inputResponses' to have at most ${maxContextLength} characters together.`,
    field,
  );
}

function objectOrArray(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) throw new Refusal('Expected a JSON object.');
  return body as Record<string, unknown>;
}

function plainObject(body: unknown): Record<string, unknown> {
  if (Array.isArray(body)) throw new Refusal('Expected a JSON object.');
  return objectOrArray(body);
}

function parseClientContext(value: unknown): string[] {
  const field = 'clientContext';
  if (value === undefined || value === '') return [];
  if (typeof value === 'string') return [withoutNul(value, field)];
  if (Array.isArray(value)) {
    if (value.length > maxContextEntries) {
      throw new Refusal(`Expected '${field}' to have at most ${maxContextEntries} entries.`, field);
    }
    return value.map((entry) => {
      if (typeof entry !== 'string' || entry === '') {
        throw new Refusal("Expected 'clientContext' array entries to be non-empty strings.", field);
      }
      return withoutNul(entry, field);
    });
  }
  if (typeof value !== 'object' || value === null) {
    throw new Refusal("Expected 'clientContext' to be a string, string array, or JSON object.", field);
  }
  return [JSON.stringify(cleanObject(value, field))];
}

function parseOutputSchema(value: unknown): Record<string, unknown> | null {
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal("Expected 'outputSchema' to be a JSON-serializable object.", 'outputSchema');
  }
  const schema = cleanObject(value, 'outputSchema');
  if (jsonSize(schema) > maxFieldBytes) {
    throw new Refusal(`Expected 'outputSchema' to have at most ${maxFieldBytes} bytes.`, 'outputSchema');
  }
  return schema;
}

function parseShownIndex(value: unknown): number | null {
  if (value === undefined) return null;
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxEventIndex) return Number(value);
  throw new Refusal(`Expected 'shownIndex' to be an integer from 0 to ${maxEventIndex}.`, 'shownIndex');
}

function cleanObject(value: object, field: string): Record<string, unknown> {
  const fault = jsonFault(value);
  if (fault === 'nul') throw new Refusal(`Expected '${field}' not to contain U+0000.`, field);
  if (fault === 'depth') throw new Refusal(`Expected '${field}' to be a JSON-serializable object.`, field);
  return wellFormedJson(value) as Record<string, unknown>;
}

function parseCapabilities(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal("Expected 'capabilities' to be an object.", 'capabilities');
  }
  const { requestInput, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0 || (requestInput !== undefined && typeof requestInput !== 'boolean')) {
    throw new Refusal("Expected 'capabilities.requestInput' to be a boolean when provided.", 'capabilities');
  }
  return requestInput ?? true;
}

function parseInputResponses(value: unknown): InputResponse[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0) {
    throw new Refusal("Expected 'inputResponses' to be a non-empty array.", 'inputResponses');
  }
  if (value.length > maxInputResponses) {
    throw new Refusal(
      `Expected 'inputResponses' to have at most ${maxInputResponses} entries.`,
      'inputResponses',
    );
  }
  return value.map((entry: unknown) => {
    const response = inputResponseSchema.safeParse(entry);
    if (!response.success) {
      const long = response.error.issues.find(({ code }) => code === 'too_big');
      if (long) {
        const name = `inputResponses.${String(long.path[0])}`;
        throw new Refusal(
          `Expected '${name}' to have at most ${String(Object(long).maximum)} characters.`,
          'inputResponses',
        );
      }
      throw new Refusal(
        "Expected every 'inputResponses' entry to match the HITL response schema.",
        'inputResponses',
      );
    }
    const { requestId, optionId, text } = response.data;
    return {
      requestId: withoutNul(requestId, 'inputResponses'),
      ...(optionId !== undefined && { optionId: withoutNul(optionId, 'inputResponses') }),
      ...(text !== undefined && { text: withoutNul(text, 'inputResponses') }),
    };
  });
}

export type StreamQuery = {
  /** Events to skip; negative: how many of the last to send. */
  startIndex: number;
  includeTailIndex: boolean;
  /** Whether deltas carry the text so far. */
  soFar: boolean;
};

/** Of a repeated parameter the first counts. */
export const parseStreamQuery = (query: URLSearchParams): Parsed<StreamQuery> =>
  parsed(() => {
    const text = query.get('startIndex') ?? '0';
    const startIndex = Number(text);
    if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(startIndex)) {
      throw new Refusal('Expected startIndex to be an integer.', 'startIndex');
    }
    return {
      startIndex: startIndex === 0 ? 0 : startIndex,
      includeTailIndex: ['1', 'true'].includes(query.get('includeTailIndex') ?? ''),
      soFar: query.get('soFar') !== '0',
    };
  });

// The same requests and their answers as schemas, for the reference and for clients.

const messageSchema = z.union([
  z.string().min(1).max(maxTextLength),
  z
    .array(
      z.union([
        z.object({ type: z.literal('text'), text: z.string().min(1).max(maxTextLength) }),
        z.object({
          type: z.literal('file'),
          fileId: z.string().max(maxIdLength).describe('Of an uploaded file.'),
        }),
        z.object({
          type: z.literal('file'),
          mediaType: z.string().min(1).max(maxMediaTypeLength),
          data: z
            .string()
            .max(maxInlineFileBytes)
            .describe(
              `Base64, a data: URL or an http(s) URL. A URL has at most ${maxAddressLength} characters; all files of a request have at most ${maxInlineFileBytes} bytes, as they are sent.`,
            ),
          filename: z.string().max(maxFilenameLength).optional(),
        }),
      ]),
    )
    .min(1)
    .max(maxMessageParts)
    .describe(`The texts have at most ${maxTextLength} characters together.`),
]);

const turnOptions = {
  clientContext: z
    .union([
      z.string().max(maxContextLength),
      z.array(z.string().min(1).max(maxContextLength)).max(maxContextEntries),
      boundedObject,
    ])
    .describe(`With all \`inputResponses\` of the request at most ${maxContextLength} characters.`)
    .optional(),
  outputSchema: boundedObject.optional(),
  clientTools: z
    .array(clientToolSchema)
    .max(maxClientTools)
    .describe(
      `Functions of the page, at most ${maxFieldBytes} bytes of them. They stay until they are replaced.`,
    )
    .optional(),
};

const token = z.string().min(1).max(maxTokenLength);

export const createRequestSchema = z.object({
  message: messageSchema,
  ...turnOptions,
  mode: z.enum(['conversation', 'task']).optional(),
  capabilities: z.strictObject({ requestInput: z.boolean().optional() }).optional(),
});

export const followUpRequestSchema = z.object({
  continuationToken: token,
  message: messageSchema.optional(),
  inputResponses: z.array(inputResponseSchema).min(1).max(maxInputResponses).optional(),
  actionResults: z
    .array(actionResultSchema)
    .min(1)
    .max(maxActionResults)
    .describe('What came of `action.delegated` calls. One that nobody waits for any more changes nothing.')
    .optional(),
  shownIndex: z
    .int()
    .min(0)
    .max(maxEventIndex)
    .describe(
      'The first event that whoever wrote the message had not been shown. The message answers nothing that was asked from there on.',
    )
    .optional(),
  ...turnOptions,
});

export const cancelRequestSchema = z.object({ turnId: z.string().min(1).max(maxIdLength).optional() });
export const tokenRequestSchema = z.object({ continuationToken: token });
export const feedbackRequestSchema = z.object({
  turnId: z.string().min(1).max(maxIdLength),
  rating: z.enum(['up', 'down']).nullable().describe('Null takes it back.'),
  comment: z.string().max(maxTextLength).optional(),
});
const ok = z.literal(true);
const sessionId = z.string();
const noActiveSession = z.object({ ok, status: z.literal('no_active_session') });

export const createAnswerSchema = z.object({ ok, sessionId, continuationToken: token });
export const followUpAnswerSchema = z.object({ ok, sessionId });
export const cancelAnswerSchema = z.object({ ok, sessionId, status: z.enum(['accepted', 'no_active_turn']) });
export const controlAnswerSchema = z.object({ ok, sessionId, status: z.literal('accepted') });
export const noActiveSessionSchema = noActiveSession;
export const resetAnswerSchema = z.union([
  z.object({ ok, previousSessionId: sessionId, status: z.literal('reset') }),
  noActiveSession,
]);
export const endAnswerSchema = z.object({ ok, sessionId, status: z.literal('completed') });
export const feedbackAnswerSchema = z.object({ ok, sessionId, turnId: z.string() });
export const deleteAnswerSchema = z.object({ ok, sessionId, status: z.literal('deleted') });
export const identifyAnswerSchema = z.object({ ok, sessionId, status: z.literal('identified') });
const timestamp = z.iso.datetime();
export const sessionListSchema = z.object({
  items: z.array(
    z.object({
      id: sessionId,
      continuationToken: token,
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
export const healthAnswerSchema = z.object({ ok, status: z.literal('ready'), workflowId: z.string() });

export type CreateAnswer = z.infer<typeof createAnswerSchema>;
export type FollowUpAnswer = z.infer<typeof followUpAnswerSchema>;
export type CancelAnswer = z.infer<typeof cancelAnswerSchema>;
export type ControlAnswer = z.infer<typeof controlAnswerSchema> | z.infer<typeof noActiveSessionSchema>;
export type ResetAnswer = z.infer<typeof resetAnswerSchema>;
export type EndAnswer = z.infer<typeof endAnswerSchema>;
export type FeedbackAnswer = z.infer<typeof feedbackAnswerSchema>;
export type DeleteAnswer = z.infer<typeof deleteAnswerSchema>;
export type IdentifyAnswer = z.infer<typeof identifyAnswerSchema>;
export type SessionList = z.infer<typeof sessionListSchema>;
export type SessionTranscript = z.infer<typeof transcriptSchema>;
export type HealthAnswer = z.infer<typeof healthAnswerSchema>;
