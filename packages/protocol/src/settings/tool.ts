import { z } from 'zod';
import { boundedJson, boundedObject, objectSchema } from '../bounded-json.ts';
import { maxFieldBytes } from '../bounds.ts';
import { credentialAnswerSchema } from './answer.ts';
import { identifier, withId } from './field.ts';

export const toolNameSchema = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'Expected a letter, then up to 63 letters, digits, _ or -.')
  .refine((value) => value !== 'ask_question', 'ask_question is a tool of every agent.');

const toolUrl = z
  .string()
  .max(2_000)
  .refine(
    (value) => /^https?:\/\/[^/?#{}@\s]+(?:\/|$)/.test(value) && URL.canParse(value),
    'Expected an http or https URL whose scheme and host are literal and that carries no credentials.',
  )
  .refine(
    (value) => !/[?#]/.test(value.replaceAll(/\{\{[^{}]*\}\}/g, '')),
    'Expected no query or fragment: query parameters go into query.',
  );

const headerName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'Expected a header name.');
const headerValue = z
  .string()
  .max(8_000)
  .regex(/^[\t\x20-\x7e]*$/, 'Expected printable ASCII characters.');

/** What one request may name: query parameters, or headers. */
const maxNames = 50;
const isFew = (names: object) => Object.keys(names).length <= maxNames;
const few = <Names extends z.ZodType<object>>(names: Names) =>
  names.refine(isFew, `Expected at most ${maxNames} names.`).meta({ maxProperties: maxNames });

const secretSchema = z
  .strictObject({ $secret: z.string().min(1).max(8_000) })
  .describe('Sent as the text that it holds; encrypted at rest and never shown again.');
const maskedSecretSchema = z
  .strictObject({ $secret: credentialAnswerSchema })
  .describe('A secret as answers show it. Sent back, it keeps what is stored.');

/** Whether everything called `$secret` in a JSON value is one of these. */
function holdsOnly(value: unknown, schemas: readonly z.ZodType[]): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if ('$secret' in value) return schemas.some((schema) => schema.safeParse(value).success);
  return Object.values(value).every((item) => holdsOnly(item, schemas));
}

const queryOf = <Value extends z.ZodType>(value: Value) => few(z.record(z.string().min(1).max(200), value));
const plainValue = z.string().max(2_000);
const bodyOf = (...secrets: z.ZodType[]) =>
  boundedJson(maxFieldBytes)
    .refine(
      (value) => holdsOnly(value, secrets),
      'Expected a secret to be {"$secret": "…"}, 1-8000 characters and nothing beside them.',
    )
    .meta({ 'x-maxBytes': maxFieldBytes });

const requestFields = {
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: toolUrl,
  query: queryOf(z.union([plainValue, secretSchema])).optional(),
  body: bodyOf(secretSchema).optional(),
};

/**
 * `{{parameter}}` placeholders fill path segments, query values, header values and JSON values only. `{{visitor.id}}`
 * is the visitor of the session, never an argument. Of query and body, `{"$secret": "…"}` and every string under a
 * credential's name (`token`, `api_key`, …) are write-only.
 */
export const toolRequestSchema = z.strictObject({
  ...requestFields,
  headers: few(z.record(headerName, headerValue)).optional(),
});

const toolFields = {
  name: toolNameSchema,
  description: z.string().min(1).max(4_000),
  parameters: objectSchema,
  request: toolRequestSchema,
  approval: z.enum(['never', 'once', 'always']).default('never'),
  approvalExpiresAfterMs: z
    .int()
    .min(1_000)
    .max(30 * 24 * 60 * 60 * 1_000)
    .describe(
      'Milliseconds in which an approval can be given; after them the call expires. Absent: as long as the session lasts.',
    )
    .optional(),
  /** Absent: true for GET and HEAD only. */
  idempotent: z.boolean().optional(),
  interfaces: z
    .array(z.enum(['chat', 'sessions']))
    .max(2)
    .default(['chat', 'sessions']),
  visibility: z.enum(['full', 'status']).default('status'),
  timeoutMs: z.int().min(1).max(120_000).default(10_000),
};

export const toolCreateSchema = z.strictObject({
  agentId: identifier,
  kind: z.literal('http'),
  ...toolFields,
});

/** What is stored and used at run time: every default applied but `idempotent`, which follows the method. */
export const toolSettingsSchema = z.strictObject({ ...withId, ...toolCreateSchema.shape });

/** Header values and the secrets of query and body are write-only, like credentials. */
export const toolAnswerSchema = z.strictObject({
  ...toolSettingsSchema.shape,
  idempotent: z.boolean(),
  request: z.strictObject({
    ...requestFields,
    query: queryOf(z.union([plainValue, maskedSecretSchema])).optional(),
    body: boundedJson(maxFieldBytes).optional(),
    headers: z.record(headerName, credentialAnswerSchema).optional(),
  }),
});

/**
 * Fields left out stay; null restores the default. A header set to null is removed. A secret of query or body that is
 * sent back as it was shown stays, while the host stays the same.
 */
export const toolPatchSchema = z.strictObject({
  name: toolNameSchema.optional(),
  description: toolFields.description.optional(),
  parameters: objectSchema.optional(),
  request: z
    .strictObject({
      method: requestFields.method.optional(),
      url: toolUrl.optional(),
      query: queryOf(z.union([plainValue, secretSchema, maskedSecretSchema])).nullish(),
      body: bodyOf(secretSchema, maskedSecretSchema).optional(),
      headers: few(z.record(headerName, headerValue.nullable())).nullish(),
    })
    .optional(),
  approval: toolFields.approval.unwrap().nullish(),
  approvalExpiresAfterMs: toolFields.approvalExpiresAfterMs.nullable(),
  idempotent: z.boolean().nullish(),
  interfaces: toolFields.interfaces.unwrap().nullish(),
  visibility: toolFields.visibility.unwrap().nullish(),
  timeoutMs: toolFields.timeoutMs.unwrap().nullish(),
});

export const toolTestSchema = z.strictObject({ input: boundedObject.default({}) });
export const toolTestAnswerSchema = z.strictObject({
  status: z.enum(['completed', 'failed']),
  durationMs: z.number().nonnegative(),
  output: z.unknown(),
});

export type SecretValue = z.infer<typeof secretSchema>;
export type ToolRequest = z.infer<typeof toolRequestSchema>;
export type ToolCreate = z.infer<typeof toolCreateSchema>;
export type ToolPatch = z.infer<typeof toolPatchSchema>;
export type ToolSettings = z.infer<typeof toolSettingsSchema>;
export type ToolAnswer = z.infer<typeof toolAnswerSchema>;
export type ToolTest = z.infer<typeof toolTestSchema>;
export type ToolTestAnswer = z.infer<typeof toolTestAnswerSchema>;
