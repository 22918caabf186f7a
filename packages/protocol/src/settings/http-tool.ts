import { z } from 'zod';
import { boundedJson, objectSchema } from '../bounded-json.ts';
import { maxFieldBytes } from '../bounds.ts';
import { credentialViewSchema } from './view.ts';
import { identifier, withId } from './field.ts';
import { toolDisplaySchema } from './tool-display.ts';
import { toolNameSchema } from './tool-name.ts';
import { writeOnly } from './write-only.ts';

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
const headerValue = writeOnly(
  z
    .string()
    .max(8_000)
    .regex(/^[\t\x20-\x7e]*$/, 'Expected printable ASCII characters.'),
);

/** What one request may name: query parameters, or headers. */
const maxNames = 50;
const isFew = (names: object) => Object.keys(names).length <= maxNames;
const few = <Names extends z.ZodType<object>>(names: Names) =>
  names.refine(isFew, `Expected at most ${maxNames} names.`).meta({ maxProperties: maxNames });

const secretSchema = z
  .strictObject({ $secret: writeOnly(z.string().min(1).max(8_000)) })
  .describe('Sent as the text that it holds; encrypted at rest and never shown again.');
const maskedSecretSchema = z
  .strictObject({ $secret: credentialViewSchema })
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
export const httpToolRequestSchema = z.strictObject({
  ...requestFields,
  headers: few(z.record(headerName, headerValue)).optional(),
});

const fields = {
  name: toolNameSchema,
  description: z.string().min(1).max(4_000),
  parameters: objectSchema,
  /** Absent: visitors see the name in words. */
  display: toolDisplaySchema.optional(),
  request: httpToolRequestSchema,
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

export const httpToolCreateSchema = z.strictObject({
  agentId: identifier,
  kind: z.literal('http'),
  ...fields,
});

/** What is stored and used at run time: every default applied but `idempotent`, which follows the method. */
export const httpToolSettingsSchema = z.strictObject({ ...withId, ...httpToolCreateSchema.shape });

/** Header values and the secrets of query and body are write-only, like credentials. */
export const httpToolViewSchema = z.strictObject({
  ...httpToolSettingsSchema.shape,
  idempotent: z.boolean(),
  request: z.strictObject({
    ...requestFields,
    query: queryOf(z.union([plainValue, maskedSecretSchema])).optional(),
    body: boundedJson(maxFieldBytes).optional(),
    headers: z.record(headerName, credentialViewSchema).optional(),
  }),
});

/**
 * Fields left out stay; null restores the default. A header set to null is removed. A secret of query or body that is
 * sent back as it was shown stays, while the host stays the same.
 */
export const httpToolPatchSchema = z.strictObject({
  name: toolNameSchema.optional(),
  description: fields.description.optional(),
  parameters: objectSchema.optional(),
  display: toolDisplaySchema.nullish(),
  request: z
    .strictObject({
      method: requestFields.method.optional(),
      url: toolUrl.optional(),
      query: queryOf(z.union([plainValue, secretSchema, maskedSecretSchema])).nullish(),
      body: bodyOf(secretSchema, maskedSecretSchema).optional(),
      headers: few(z.record(headerName, headerValue.nullable())).nullish(),
    })
    .optional(),
  approval: fields.approval.unwrap().nullish(),
  approvalExpiresAfterMs: fields.approvalExpiresAfterMs.nullable(),
  idempotent: z.boolean().nullish(),
  interfaces: fields.interfaces.unwrap().nullish(),
  visibility: fields.visibility.unwrap().nullish(),
  timeoutMs: fields.timeoutMs.unwrap().nullish(),
});

export type SecretValue = z.infer<typeof secretSchema>;
export type HttpToolRequest = z.infer<typeof httpToolRequestSchema>;
export type HttpToolPatch = z.infer<typeof httpToolPatchSchema>;
export type HttpToolSettings = z.infer<typeof httpToolSettingsSchema>;
export type HttpToolView = z.infer<typeof httpToolViewSchema>;
