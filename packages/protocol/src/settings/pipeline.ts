import { z } from 'zod';

/** Stages of one pipeline. */
const maxStages = 20;
/** Fields that a contact may have. */
const maxContactFields = 20;
/** Characters of one field of a contact, and of what a visitor said in one field of a form. */
export const maxContactValue = 500;

const key = z
  .string()
  .max(40)
  .regex(/^[a-z][\da-z_-]{0,39}$/, 'Expected a small letter, then up to 39 small letters, digits, _ or -.');
const title = z.string().trim().min(1).max(60);

/** How a tenant keeps its contacts: through which stages they go, and what it notes of each. */
export const pipelineSchema = z.strictObject({
  stages: z
    .array(z.strictObject({ id: key, name: title }))
    .min(1)
    .max(maxStages)
    .refine((stages) => allDiffer(stages.map(({ id }) => id)), 'Two stages have the same id.')
    .describe('In their order. A new contact is in the first, as is one whose stage is gone.'),
  fields: z
    .array(z.strictObject({ id: key, name: title }))
    .max(maxContactFields)
    .refine((fields) => allDiffer(fields.map(({ id }) => id)), 'Two fields have the same id.')
    .describe(
      'What is noted of a contact. What was noted in a field that is gone is kept until its contact is erased.',
    ),
  retentionDays: z
    .int()
    .min(1)
    .max(3_650)
    .optional()
    .describe(
      'Days after which a contact that nobody has spoken with is erased, with all that is theirs in every agent. Absent: contacts stay until somebody erases them.',
    ),
});

/** What a tenant has that has said nothing else. */
export const defaultPipeline: Pipeline = {
  stages: [
    { id: 'new', name: 'New' },
    { id: 'talking', name: 'Talking' },
    { id: 'customer', name: 'Customer' },
    { id: 'lost', name: 'Lost' },
  ],
  fields: [
    { id: 'name', name: 'Name' },
    { id: 'email', name: 'E-mail' },
    { id: 'phone', name: 'Phone' },
    { id: 'company', name: 'Company' },
  ],
};

function allDiffer(ids: readonly string[]): boolean {
  return new Set(ids).size === ids.length;
}

export type Pipeline = z.infer<typeof pipelineSchema>;
