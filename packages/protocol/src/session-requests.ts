import { z } from 'zod';
import { type InputResponse, inputResponseSchema } from './ask.ts';
import { type ActionResult, actionResultsSchema, type ClientTool, clientToolsSchema } from './client-tool.ts';
import { jsonSize } from './bounded-json.ts';
import {
  clientMessageIdLength,
  maxContextEntries,
  maxContextLength,
  maxEventIndex,
  maxFieldBytes,
  maxIdLength,
  maxInputResponses,
  maxMailAddressLength,
  maxTokenLength,
} from './bounds.ts';
import { boundedText, expected, opaque, requestObject, requestText } from './request-text.ts';
import { codePoints } from './text.ts';
import { type UserMessage, userMessageSchema } from './user-message.ts';

// The sentences and the order of the checks are `eve@0.30.8`'s; fields of what is not built are ignored.

export type CreateRequest = {
  message: UserMessage;
  /** Each entry goes before the message as `Client context:` and the entry. */
  clientContext: string[];
  outputSchema: Record<string, unknown> | null;
  clientTools: ClientTool[] | null;
  /** False: nobody is there to answer, so the agent may not ask. */
  requestInput: boolean;
  /** What the sender calls the message; null without a name. */
  clientMessageId: string | null;
  /** A task is one turn, and the session ends with it. */
  mode: 'conversation' | 'task';
};

export type FollowUpRequest = {
  continuationToken: string;
  message: UserMessage | null;
  /** What the sender calls the message; null without a name. */
  clientMessageId: string | null;
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

const noObject = 'Expected a JSON object.';
const noContext = "Expected 'clientContext' to be a string, string array, or JSON object.";
const noEntry = "Expected 'clientContext' array entries to be non-empty strings.";

const clientContextSchema = z
  .union(
    [
      requestText('clientContext', noContext).meta({ maxLength: maxContextLength }),
      z
        .array(requestText('clientContext', noEntry).min(1, noEntry).meta({ maxLength: maxContextLength }))
        .max(maxContextEntries, expected('clientContext', `to have at most ${maxContextEntries} entries`)),
      requestObject('clientContext', noContext).meta({ 'x-maxBytes': maxFieldBytes }),
    ],
    {
      error: ({ input, errors }) => {
        const [, list, object] = errors as z.core.$ZodIssue[][];
        return Array.isArray(input) ? list?.[0]?.message : (object?.[0]?.message ?? noContext);
      },
    },
  )
  .transform((context): string[] => {
    if (context === '') return [];
    if (typeof context === 'string') return [context];
    return Array.isArray(context) ? context : [JSON.stringify(context)];
  });

const outputSchemaSchema = requestObject(
  'outputSchema',
  "Expected 'outputSchema' to be a JSON-serializable object.",
)
  .refine(
    (schema) => jsonSize(schema) <= maxFieldBytes,
    expected('outputSchema', `to have at most ${maxFieldBytes} bytes`),
  )
  .meta({ 'x-maxBytes': maxFieldBytes });

const noMessageId = `Expected 'clientMessageId' to be a string of ${clientMessageIdLength.min} to ${clientMessageIdLength.max} characters.`;

const turnOptions = {
  clientMessageId: requestText('clientMessageId', noMessageId)
    .min(clientMessageIdLength.min, noMessageId)
    .max(clientMessageIdLength.max, noMessageId)
    .describe('Comes back with the message in `message.received`, so that its sender knows it again.')
    .optional(),
  clientContext: clientContextSchema
    .optional()
    .describe(`With all \`inputResponses\` of the request at most ${maxContextLength} characters.`),
  outputSchema: outputSchemaSchema.optional(),
};

const noAnswers = "Expected 'inputResponses' to be a non-empty array.";
const noIndex = `Expected 'shownIndex' to be an integer from 0 to ${maxEventIndex}.`;

/** Characters of context and of input responses, which have one bound together. */
function isLongContext(context: readonly string[] = [], responses: readonly InputResponse[] = []): boolean {
  const answers = responses.flatMap(({ optionId = '', text = '' }) => [optionId, text]);
  return [...context, ...answers].reduce((sum, text) => sum + codePoints(text), 0) > maxContextLength;
}

const longContext = `Expected 'clientContext' and 'inputResponses' to have at most ${maxContextLength} characters together.`;

/** Of a session, an array is an object without fields: `sessions-protocol` 1.2. */
const fieldsOf = <Shape extends z.ZodObject>(shape: Shape) =>
  z.preprocess((body) => (Array.isArray(body) ? {} : body), shape);

export const createRequestSchema = fieldsOf(
  z
    .object(
      {
        message: userMessageSchema.optional(),
        clientMessageId: turnOptions.clientMessageId,
        clientContext: turnOptions.clientContext,
        capabilities: z
          .strictObject(
            {
              requestInput: z
                .boolean("Expected 'capabilities.requestInput' to be a boolean when provided.")
                .optional(),
            },
            {
              error: ({ code }) =>
                code === 'invalid_type'
                  ? "Expected 'capabilities' to be an object."
                  : "Expected 'capabilities.requestInput' to be a boolean when provided.",
            },
          )
          .optional(),
        mode: z
          .enum(['conversation', 'task'], "Expected 'mode' to be either 'conversation' or 'task'.")
          .describe(
            'A task is one turn that asks nothing: no questions, no tools that need approval, no `clientTools`. The session ends with it, by `session.completed` or `session.failed`, and takes no follow-up.',
          )
          .optional(),
        outputSchema: turnOptions.outputSchema,
        clientTools: clientToolsSchema.optional(),
      },
      noObject,
    )
    .check(({ value, issues }) => {
      const refuse = (field: string, sentence: string) =>
        issues.push({ code: 'custom', input: value, path: [field], message: sentence });
      const { mode, clientTools = [], clientContext, message } = value;
      if (mode === 'task' && clientTools.length > 0)
        refuse('clientTools', "Expected no 'clientTools': a task hands no calls to a page.");
      if (isLongContext(clientContext)) refuse('clientContext', longContext);
      if (!message) refuse('message', "Missing or empty 'message' field.");
    })
    .meta({ required: ['message'] }),
).transform(
  ({
    message,
    clientMessageId = null,
    clientContext = [],
    outputSchema = null,
    clientTools = null,
    capabilities,
    mode = 'conversation',
  }) => {
    if (!message) throw new Error('A request without a message has passed.');
    const requestInput = capabilities?.requestInput ?? true;
    return {
      message,
      clientMessageId,
      clientContext,
      outputSchema,
      clientTools,
      requestInput,
      mode,
    } satisfies CreateRequest;
  },
);

export const followUpRequestSchema = fieldsOf(
  z
    .object(
      {
        continuationToken: opaque(
          'continuationToken',
          maxTokenLength,
          "Missing or empty 'continuationToken' field.",
        ),
        message: userMessageSchema.optional(),
        inputResponses: z
          .array(inputResponseSchema, noAnswers)
          .min(1, noAnswers)
          .max(maxInputResponses, expected('inputResponses', `to have at most ${maxInputResponses} entries`))
          .optional(),
        ...turnOptions,
        actionResults: actionResultsSchema.optional(),
        clientTools: clientToolsSchema.optional(),
        shownIndex: z
          .int(noIndex)
          .min(0, noIndex)
          .max(maxEventIndex, noIndex)
          .describe(
            'The first event that whoever wrote the message had not been shown. The message answers nothing that was asked from there on.',
          )
          .optional(),
      },
      noObject,
    )
    .check(({ value, issues }) => {
      const { clientContext = [], inputResponses = [], message, actionResults = [] } = value;
      const refuse = (field: string, sentence: string) =>
        issues.push({ code: 'custom', input: value, path: [field], message: sentence });
      if (isLongContext(clientContext, inputResponses))
        refuse(clientContext.length > 0 ? 'clientContext' : 'inputResponses', longContext);
      if (!message && inputResponses.length === 0 && actionResults.length === 0)
        refuse('message', "Expected a non-empty 'message', a non-empty 'inputResponses' array, or both.");
    }),
).transform(
  ({
    continuationToken,
    message = null,
    clientMessageId = null,
    inputResponses = [],
    actionResults = [],
    clientContext = [],
    outputSchema = null,
    clientTools = null,
    shownIndex = null,
  }) =>
    ({
      continuationToken,
      message,
      clientMessageId,
      inputResponses,
      actionResults,
      clientContext,
      outputSchema,
      clientTools,
      shownIndex,
    }) satisfies FollowUpRequest,
);

const turnId = opaque('turnId', maxIdLength, "Expected 'turnId' to be a non-empty string.");

/** The body of cancel; a request without one cancels whatever runs. */
export const cancelRequestSchema = z
  .object({ turnId: turnId.optional() }, noObject)
  .transform(({ turnId: named = null }) => ({ turnId: named }));

/** The body of clear, compact, reset, end, identify and DELETE. */
export const tokenRequestSchema = z.object(
  {
    continuationToken: opaque(
      'continuationToken',
      maxTokenLength,
      "Expected 'continuationToken' to be a non-empty string.",
    ),
  },
  noObject,
);

export const feedbackRequestSchema = z
  .object(
    {
      turnId,
      rating: z
        .enum(['up', 'down'], "Expected 'rating' to be 'up', 'down' or null.")
        .nullable()
        .describe('Null takes it back.'),
      comment: boundedText('comment', "Expected 'comment' to be a string.").optional(),
    },
    noObject,
  )
  .transform(({ comment = null, ...rating }) => ({ ...rating, comment }));

const email = "Expected 'address' to be an e-mail address.";

export const readyMailRequestSchema = z
  .object(
    {
      ...tokenRequestSchema.shape,
      address: z.email(email).max(maxMailAddressLength, email).describe('Who is written to, once.'),
      language: opaque('language', maxIdLength, "Expected 'language' to be a language tag.")
        .describe(
          'Of the mail, such as `de` or `pt-BR`. Absent, or one that the widget has no words in: English.',
        )
        .optional(),
    },
    noObject,
  )
  .transform(({ language = 'en', ...ask }) => ({ ...ask, language }));

/** The body of a claim. */
export const transferClaimSchema = z.object(
  { token: opaque('token', maxIdLength, "Expected 'token' to be a non-empty string.") },
  noObject,
);
