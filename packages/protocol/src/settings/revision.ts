import { z } from 'zod';
import { agentPatchSchema, agentSettingsSchema, agentViewSchema } from './agent.ts';
import { identifier, timestamp } from './field.ts';
import { modelViewSchema } from './model.ts';

/** What applies at once, whoever sets it: whether the agent answers at all, who its visitors are, and what it is tried with. */
const immediate = { active: true, pauseMessage: true, identity: true, savedQuestions: true } as const;

const time = timestamp.max(40);
const seen = time.describe(
  'The `changedAt` of the draft that was read: where it was changed since then, or is gone, nothing is done (409). Without it the draft is taken as it is.',
);

const seenOrNone = time
  .nullable()
  .describe(
    'The `changedAt` of the draft that was read, null where there was none: where it was changed since then, nothing is done (409). Without it the draft is taken as it is.',
  );

/** What a draft may change, which is what a revision has of an agent. */
export const draftPatchSchema = agentPatchSchema.omit(immediate).extend({ changedAt: seenOrNone.optional() });

export const discardQuery = z.strictObject({ changedAt: seen.optional() });

export const revisionSettingsSchema = agentSettingsSchema
  .omit({ ...immediate, id: true, tenantId: true, createdAt: true })
  .extend({ model: modelViewSchema });

const author = z
  .strictObject({ id: identifier, name: z.string() })
  .nullable()
  .describe('The member, as they were called then; null: automation, with the admin token.');

const fieldChangeSchema = z.strictObject({
  field: z.string().describe('Such as `widget.greeting`.'),
  before: z.unknown().describe('Absent where it was not set.').optional(),
  after: z.unknown().describe('Absent where it is not set.').optional(),
});
const changes = z.array(fieldChangeSchema);

export const draftViewSchema = z.strictObject({
  agentId: identifier,
  live: z.int().describe('The revision that visitors speak to.'),
  base: z.int().describe('The revision that the draft began from.'),
  changes: changes.describe('What publishing changes: before is live, after is the draft.'),
  conflicts: z
    .array(z.string())
    .describe(
      'The fields that the draft changes and that live has had changed since the draft began. Publishing then has to name `live`.',
    ),
  changedAt: timestamp.nullable().describe('Null where there is no draft.'),
  author,
  agent: agentViewSchema.describe('The agent as it is in the draft.'),
});

const note = z.string().max(500).describe('Why, for whoever reads the list.');

export const publishSchema = z.strictObject({
  note: note.optional(),
  changedAt: seen.optional(),
  live: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .describe(
      'The live revision over whose changes the draft goes. Without it a draft in conflict is refused.',
    )
    .optional(),
});

const revisionFields = {
  revision: z.int(),
  at: timestamp,
  author,
  note: z.string().nullable(),
  fields: z.array(z.string()).describe('What it changed of the one before; of the first one nothing.'),
};

export const revisionViewSchema = z.strictObject(revisionFields);

export const comparedRevisionSchema = z.strictObject({
  ...revisionFields,
  settings: revisionSettingsSchema,
  changes: changes.describe('Before is the revision, after is what it is compared with.'),
});

export const compareQuery = z.strictObject({
  compareWith: z
    .enum(['live', 'draft'])
    .default('live')
    .describe('What `changes` compares it with: `live`, or `draft`.'),
});

export const restoreSchema = z.strictObject({
  to: z
    .enum(['draft', 'live'])
    .default('draft')
    .describe('Whether it becomes the draft, or is published at once as a new revision.'),
  replaceDraft: z
    .boolean()
    .default(false)
    .describe('Whether it may take the place of a draft with changes, which is refused otherwise.'),
  changedAt: seenOrNone.optional(),
});

export const previewViewSchema = z.strictObject({
  key: z
    .string()
    .describe(
      'Speaks to the draft as a publishable key speaks to the agent, from pages of the service alone, for as long as the member is signed in.',
    ),
});

export type DraftPatch = z.infer<typeof draftPatchSchema>;
export type RevisionRestore = z.infer<typeof restoreSchema>;
export type DraftView = z.infer<typeof draftViewSchema>;
export type FieldChange = z.infer<typeof fieldChangeSchema>;
export type RevisionView = z.infer<typeof revisionViewSchema>;
export type RevisionSettings = z.infer<typeof revisionSettingsSchema>;
export type ComparedRevision = z.infer<typeof comparedRevisionSchema>;
