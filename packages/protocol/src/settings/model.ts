import { z } from 'zod';
import { credentialViewSchema } from './view.ts';
import { httpUrl, identifier, name } from './field.ts';
import { scriptSchema } from './script.ts';
import { writeOnly } from './write-only.ts';

/** The fields of a model's settings that are encrypted at rest and never read back. */
export const modelCredentials = ['apiKey', 'secretAccessKey', 'sessionToken'] as const;

/** It is a part of the host that is called, so it holds nothing that could make another host of it. */
export const awsRegionPattern = /^[a-z]{2,}(-[a-z0-9]+)+$/;
const awsRegion = identifier.regex(awsRegionPattern, 'Expected a region such as eu-central-1.');

const modelUnion = <Credential extends z.ZodType>(credential: Credential, region: z.ZodString) => {
  const hosted = { model: name, apiKey: credential.optional(), baseUrl: httpUrl.optional() };
  return z.discriminatedUnion('provider', [
    z.strictObject({
      provider: z.literal('scripted'),
      model: name.default('scripted'),
      script: scriptSchema,
    }),
    z.strictObject({ provider: z.literal('quoting'), model: name.default('quoting') }),
    z.strictObject({ provider: z.literal('openai'), ...hosted, organization: identifier.optional() }),
    z.strictObject({ provider: z.literal('anthropic'), ...hosted }),
    z.strictObject({ provider: z.literal('google'), ...hosted }),
    z.strictObject({ provider: z.literal('mistral'), ...hosted }),
    z.strictObject({
      provider: z.literal('azure'),
      ...hosted,
      resourceName: identifier.optional(),
      apiVersion: identifier.optional(),
    }),
    z.strictObject({
      provider: z.literal('amazon-bedrock'),
      ...hosted,
      region,
      accessKeyId: identifier.optional(),
      secretAccessKey: credential.optional(),
      sessionToken: credential.optional(),
    }),
    z.strictObject({ provider: z.literal('openai-compatible'), ...hosted, baseUrl: httpUrl }),
  ]);
};

const secretValue = writeOnly(z.string().min(1).max(8_000));

export const modelCreateSchema = modelUnion(secretValue, awsRegion);
/** What may be stored: an earlier version took any region, and its agents can still be read, to be mended. */
export const modelSettingsSchema = modelUnion(secretValue, identifier);
/** A credential left out keeps the stored one while provider and address stay the same; null removes it. */
export const modelPatchSchema = modelUnion(secretValue.nullable(), awsRegion);
export const modelViewSchema = modelUnion(credentialViewSchema, identifier);

export const reasoningSchema = z.strictObject({
  /** Absent: the provider's own default. */
  effort: z.enum(['none', 'low', 'medium', 'high']).optional(),
  /** Whether the visitor sees the reasoning. */
  show: z.boolean().default(false),
});

export type ModelSettings = z.infer<typeof modelSettingsSchema>;
export type ModelProvider = ModelSettings['provider'];
export type ModelPatch = z.infer<typeof modelPatchSchema>;
export type ModelView = z.infer<typeof modelViewSchema>;
export type ReasoningSettings = z.infer<typeof reasoningSchema>;
