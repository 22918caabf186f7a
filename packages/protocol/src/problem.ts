import { z } from 'zod';
import { failureCauseSchema } from './failure-cause.ts';

/** Every error code of both interfaces, with its status (`chat-protocol`, "Error codes"). */
export const problemStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  SECOND_FACTOR_REQUIRED: 401,
  VISITOR_TOKEN_REQUIRED: 401,
  VISITOR_TOKEN_INVALID: 401,
  ORIGIN_NOT_ALLOWED: 403,
  NO_AGENT: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  AGENT_INACTIVE: 404,
  SESSION_NOT_FOUND: 404,
  SESSION_NOT_RESUMABLE: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  IDEMPOTENCY_CONFLICT: 409,
  CONFLICT: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  QUEUE_FULL: 429,
  QUOTA_EXCEEDED: 429,
  INTERNAL: 500,
  MODEL_FAILED: 502,
  UNAVAILABLE: 503,
  TURN_TIMEOUT: 504,
} as const;

export type ProblemCode = keyof typeof problemStatus;

export const issueSchema = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
});

/** Why a file of a message is not accepted. */
const violationSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('disallowed-media-type'),
    mediaType: z.string(),
    filename: z.string().optional(),
    allowedMediaTypes: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('too-large'),
    mediaType: z.string(),
    filename: z.string().optional(),
    byteLength: z.number().int(),
    limit: z.number().int().describe('Bytes of all files of the message together.'),
  }),
]);

export const problemSchema = z.object({
  ok: z.literal(false),
  error: z.string(),
  code: z.enum(Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]]),
  requestId: z.string(),
  issues: z.array(issueSchema).optional(),
  retryAfter: z.number().int().optional(),
  notice: z
    .string()
    .describe('With `AGENT_INACTIVE`: what the tenant says to visitors meanwhile.')
    .optional(),
  cause: failureCauseSchema
    .describe('With `MODEL_FAILED`, for a secret key: why the model could not answer, and what to do.')
    .optional(),
  violations: z
    .array(violationSchema)
    .describe('With `TOO_LARGE` and `UNSUPPORTED_MEDIA_TYPE`: each file that is not accepted.')
    .optional(),
});

export type Issue = z.infer<typeof issueSchema>;
export type Violation = z.infer<typeof violationSchema>;
export type Problem = z.infer<typeof problemSchema>;
