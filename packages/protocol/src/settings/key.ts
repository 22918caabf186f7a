import { z } from 'zod';
import { identifier, timestamp, withId } from './field.ts';

/** What the Chat interface promises of every key. */
export const defaultTurnsPerMinute = 60;
/** Each turn looks as far back as its limit. */
const maxTurnsPerMinute = 6_000;

const isOrigin = (value: string): boolean => {
  if (value === '*') return true;
  const literal = value.replace(/^https:\/\/\*\./, 'https://');
  if (literal.includes('*') || !URL.canParse(literal)) return false;
  const { origin, protocol } = new URL(literal);
  return /^https?:$/.test(protocol) && origin === literal;
};

const origins = z
  .array(
    z
      .string()
      .max(300)
      .refine(isOrigin, 'Expected an origin such as https://www.example.com, https://*.example.com or *.'),
  )
  .max(200);

const keyFields = {
  agentId: identifier.nullable().default(null),
  label: z.string().max(200).nullable().default(null),
  allowedOrigins: origins
    .default([])
    .describe(
      'Origins of pages that may use the key and frame the panel. None: no browser may. `*`: any. With `*.` before the host: every subdomain, of any depth, of a domain that is not a public suffix; https only. The list binds browsers: see `allowMissingOrigin`.',
    ),
  allowMissingOrigin: z
    .boolean()
    .default(true)
    .describe(
      'Whether callers that name no origin, which are not pages of another site, may use a publishable key.',
    ),
  turnsPerMinute: z
    .number()
    .int()
    .min(1)
    .max(maxTurnsPerMinute)
    .default(defaultTurnsPerMinute)
    .describe('Chat turns that may begin in any 60 s. Of a publishable key: 60.'),
};

export const keyCreateSchema = z.strictObject({
  tenantId: identifier,
  kind: z.enum(['secret', 'publishable']),
  ...keyFields,
});

export const keyPatchSchema = z.strictObject({
  agentId: identifier.nullish(),
  label: keyFields.label.unwrap().optional(),
  allowedOrigins: origins.nullish(),
  allowMissingOrigin: z.boolean().nullish(),
  turnsPerMinute: keyFields.turnsPerMinute.unwrap().nullish(),
});

export const keySettingsSchema = z.strictObject({
  ...withId,
  ...keyCreateSchema.shape,
  last4: z.string().length(4),
});

/** `key`: a secret key's in the answer to create and regenerate only, a publishable key's always. */
export const keyViewSchema = z.strictObject({
  ...keySettingsSchema.shape,
  lastUsedAt: timestamp.nullable().describe('To the hour; null: not since it was made.'),
  key: z.string().optional(),
});

export type KeyCreate = z.infer<typeof keyCreateSchema>;
export type KeyKind = KeyCreate['kind'];
export type KeyPatch = z.infer<typeof keyPatchSchema>;
export type KeySettings = z.infer<typeof keySettingsSchema>;
export type KeyView = z.infer<typeof keyViewSchema>;
