import { z } from 'zod';
import { credentialViewSchema } from './view.ts';
import { httpUrl, identifier, name, withId } from './field.ts';
import { filesSchema } from './files.ts';
import { identity, identitySchema, identitySecret, publicKey } from './identity.ts';
import { limitsPatchSchema, limitsSchema } from './limits.ts';
import { modelViewSchema, modelPatchSchema, modelSettingsSchema, reasoningSchema } from './model.ts';
import { accent, widgetSettingsSchema } from './widget.ts';

const agentFields = {
  name,
  instructions: z.string().max(100_000).default(''),
  active: z.boolean().default(true),
  pauseMessage: z
    .string()
    .max(500)
    .describe('What visitors read while the agent is not active. Absent: that it is not available.')
    .optional(),
  reasoning: reasoningSchema.prefault({}),
  maxSteps: z.int().min(1).max(100).default(20),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
  /** History beyond this many tokens is summarised in the prompt. Absent: what the model is known to hold. */
  contextTokens: z.int().min(1).max(100_000_000).optional(),
  approvalsOnChat: z.boolean().default(false),
  outputSchemaForVisitors: z
    .boolean()
    .default(false)
    .describe(
      'Whether a request with a publishable key may carry an `outputSchema`. A secret key always may.',
    ),
  limits: limitsSchema.prefault({}),
  widget: widgetSettingsSchema.prefault({}),
  files: filesSchema.prefault({}),
  identity: identitySchema.prefault({}),
  retentionDays: z.int().min(1).max(3_650).default(30),
};

export const agentCreateSchema = z.strictObject({
  tenantId: identifier,
  ...agentFields,
  model: modelSettingsSchema,
});

/** What is stored and used at run time: every default applied. */
export const agentSettingsSchema = z.strictObject({ ...withId, ...agentCreateSchema.shape });

export const agentViewSchema = z.strictObject({
  ...agentSettingsSchema.shape,
  revision: z.int().describe('Of its settings, as `turn.started` names it.'),
  model: modelViewSchema,
  identity: identity(credentialViewSchema),
});

/** Fields left out stay; null restores the default, inside `reasoning`, `limits`, `widget`, `files` and `identity` too. */
export const agentPatchSchema = z.strictObject({
  name: name.optional(),
  instructions: agentFields.instructions.unwrap().nullish(),
  active: z.boolean().nullish(),
  pauseMessage: agentFields.pauseMessage.nullable(),
  model: modelPatchSchema.optional(),
  reasoning: z
    .strictObject({ effort: reasoningSchema.shape.effort.nullable(), show: z.boolean().nullish() })
    .nullish(),
  maxSteps: agentFields.maxSteps.unwrap().nullish(),
  temperature: agentFields.temperature.nullable(),
  maxOutputTokens: agentFields.maxOutputTokens.nullable(),
  contextTokens: agentFields.contextTokens.nullable(),
  approvalsOnChat: z.boolean().nullish(),
  outputSchemaForVisitors: z.boolean().nullish(),
  limits: limitsPatchSchema.nullish(),
  widget: z
    .strictObject({
      name: widgetSettingsSchema.shape.name.nullable(),
      greeting: widgetSettingsSchema.shape.greeting.unwrap().nullish(),
      prompts: widgetSettingsSchema.shape.prompts.unwrap().nullish(),
      accent: accent.nullish(),
      theme: widgetSettingsSchema.shape.theme.unwrap().nullish(),
      position: widgetSettingsSchema.shape.position.unwrap().nullish(),
      avatar: widgetSettingsSchema.shape.avatar.nullable(),
      privacyUrl: httpUrl.nullish(),
      languages: widgetSettingsSchema.shape.languages.nullable(),
      teaser: widgetSettingsSchema.shape.teaser.nullable(),
      consent: widgetSettingsSchema.shape.consent.nullable(),
      form: widgetSettingsSchema.shape.form.nullable(),
    })
    .nullish(),
  files: z
    .strictObject({
      types: filesSchema.shape.types.unwrap().nullish(),
      totalBytes: filesSchema.shape.totalBytes.unwrap().nullish(),
    })
    .nullish(),
  identity: z
    .strictObject({
      secret: identitySecret.nullish(),
      toolSecret: identitySecret.nullish(),
      publicKey: publicKey.nullish(),
      required: z.boolean().nullish(),
    })
    .nullish(),
  retentionDays: agentFields.retentionDays.unwrap().nullish(),
});

export type AgentCreate = z.infer<typeof agentCreateSchema>;
export type AgentPatch = z.infer<typeof agentPatchSchema>;
export type AgentSettings = z.infer<typeof agentSettingsSchema>;
export type AgentView = z.infer<typeof agentViewSchema>;
