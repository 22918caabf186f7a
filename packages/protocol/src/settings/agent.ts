import { z } from 'zod';
import { credentialViewSchema } from './view.ts';
import { httpUrl, identifier, name, withId } from './field.ts';
import { filesSchema } from './files.ts';
import { identity, identitySchema, identitySecret, publicKey } from './identity.ts';
import { limitsPatchSchema, limitsSchema } from './limits.ts';
import {
  modelCreateSchema,
  modelPatchSchema,
  modelSettingsSchema,
  modelViewSchema,
  reasoningSchema,
} from './model.ts';
import { savedQuestionsSchema } from './question-trial.ts';
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
  fallback: z
    .enum(['quoting'])
    .describe(
      'Answers in place of the model when its provider cannot or the tokens of the day are used up: `quoting` quotes what the agent has read, and says so. Absent: such turns fail, and without tokens none begins.',
    )
    .optional(),
  embedding: z
    .strictObject({ model: name.describe('What the provider of the agent’s model calls it.') })
    .describe(
      'The model that turns passages and what is looked for into vectors, so that passages are found in other words than their own, too. Absent: by their words alone, as with a provider that has no such models or does not answer.',
    )
    .optional(),
  savedQuestions: savedQuestionsSchema.default([]),
  reasoning: reasoningSchema.prefault({}),
  maxSteps: z.int().min(1).max(100).default(20),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
  /** History beyond this many tokens is summarised in the prompt. Absent: what the model is known to hold. */
  contextTokens: z.int().min(1).max(100_000_000).optional(),
  approvalsOnChat: z.boolean().default(false),
  approvalsBy: z
    .enum(['visitor', 'team', 'either', 'both', 'two'])
    .default('visitor')
    .describe(
      'Who answers when a tool needs an approval: the visitor; a member of the team; `either`, whichever of them is first; `both`, the visitor and one of the team; `two`, two different members. Whoever denies it has denied it for all. With `team`, `both` and `two` the Chat interface, which no team reads, offers no such tools and asks no questions.',
    ),
  approvalMail: z
    .array(
      z.strictObject({
        address: z.email({ error: 'Expected an e-mail address.' }).max(254),
        memberId: identifier
          .describe(
            'Whose mailbox it is: what is answered by mail counts as theirs, so they name it themselves, or an owner does. Absent: nobody’s in particular.',
          )
          .optional(),
      }),
    )
    .max(10)
    .refine(
      (mails) => new Set(mails.map(({ address }) => address.toLowerCase())).size === mails.length,
      'Expected each address once.',
    )
    .describe(
      'Who is written to when the team is asked for an approval, with a link that answers it: by the agent’s connection for mail. Absent: nobody.',
    )
    .optional(),
  readyMail: z
    .boolean()
    .describe(
      'Whether visitors may leave an address in the widget while a turn takes long, and are written to once when it is finished or asks them something: by the agent’s connection for mail. Absent: they may not.',
    )
    .optional(),
  contacts: z
    .enum(['none', 'read', 'change'])
    .default('none')
    .describe(
      'What the agent may do with the contact of the visitor that it talks to, on the Sessions interface: nothing, read it, or also change it and move it through the pipeline.',
    ),
  teamQuestionMinutes: z
    .int()
    .min(1)
    .max(1_440)
    .describe(
      'Lets the agent ask the team, on the Sessions interface, and says how many minutes the team has to answer: until then its turn waits, and the visitor reads that it is checking with a colleague. Absent: it asks nobody.',
    )
    .optional(),
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
  model: modelCreateSchema,
});

/** What is stored and used at run time: every default applied. */
export const agentSettingsSchema = z.strictObject({
  ...withId,
  ...agentCreateSchema.shape,
  model: modelSettingsSchema,
});

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
  fallback: agentFields.fallback.nullable(),
  embedding: agentFields.embedding.nullable(),
  savedQuestions: savedQuestionsSchema.nullish(),
  reasoning: z
    .strictObject({ effort: reasoningSchema.shape.effort.nullable(), show: z.boolean().nullish() })
    .nullish(),
  maxSteps: agentFields.maxSteps.unwrap().nullish(),
  temperature: agentFields.temperature.nullable(),
  maxOutputTokens: agentFields.maxOutputTokens.nullable(),
  contextTokens: agentFields.contextTokens.nullable(),
  approvalsOnChat: z.boolean().nullish(),
  approvalsBy: agentFields.approvalsBy.unwrap().nullish(),
  approvalMail: agentFields.approvalMail.nullable(),
  readyMail: agentFields.readyMail.nullable(),
  contacts: agentFields.contacts.unwrap().nullish(),
  teamQuestionMinutes: agentFields.teamQuestionMinutes.nullable(),
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
