import { formFieldsSchema } from '@parley/protocol/field';
import { z } from 'zod';
import type { OfferedTool } from '../model/model.ts';

const bound = { anyOf: [{ type: 'number' }, { type: 'string' }] };

/** How the model asks the visitor. It is offered like a tool, parked by the runner and never executed. */
export const askQuestion: OfferedTool = {
  name: 'ask_question',
  description:
    'Ask the user a question and wait for the answer. Give options when the answer is one of a few, allowFreeform when the user may also answer in their own words, and multiple when they may choose several. Give fields instead of options to ask for several things at once in a form: the answer is then an object with their names.',
  parameters: {
    type: 'object',
    properties: {
      prompt: { type: 'string', minLength: 1, description: 'The question, as the user reads it.' },
      options: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', minLength: 1 },
            label: { type: 'string', minLength: 1 },
            description: { type: 'string' },
            style: { type: 'string', enum: ['primary', 'danger', 'default'] },
          },
          required: ['id', 'label'],
          additionalProperties: false,
        },
      },
      allowFreeform: { type: 'boolean' },
      multiple: { type: 'boolean', description: 'Several options may be chosen. Needs options.' },
      fields: {
        type: 'array',
        maxItems: 20,
        description: 'A form. Not together with options.',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'Begins with a letter; letters, digits, _ and - follow.' },
            label: { type: 'string', minLength: 1 },
            type: {
              type: 'string',
              enum: ['text', 'multiline', 'email', 'tel', 'url', 'number', 'date', 'select', 'checkbox'],
            },
            required: { type: 'boolean' },
            options: {
              type: 'array',
              description: 'Of a select, and only there.',
              items: {
                type: 'object',
                properties: {
                  id: { type: 'string', minLength: 1 },
                  label: { type: 'string', minLength: 1 },
                },
                required: ['id', 'label'],
                additionalProperties: false,
              },
            },
            description: { type: 'string' },
            placeholder: { type: 'string' },
            minimum: { ...bound, description: 'Of a number, or of a date as yyyy-mm-dd.' },
            maximum: { ...bound, description: 'Of a number, or of a date as yyyy-mm-dd.' },
            maxLength: { type: 'integer' },
          },
          required: ['name', 'label'],
          additionalProperties: false,
        },
      },
    },
    required: ['prompt'],
    additionalProperties: false,
  },
};

const questionFields = z.object({
  prompt: z.string().min(1).max(20_000),
  options: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        label: z.string().min(1).max(1_000),
        description: z.string().max(2_000).optional(),
        style: z.enum(['primary', 'danger', 'default']).optional(),
      }),
    )
    .max(100)
    .refine(
      (options) => new Set(options.map(({ id }) => id)).size === options.length,
      'two options have the same id',
    )
    .optional(),
  allowFreeform: z.boolean().optional(),
  multiple: z.boolean().optional(),
  fields: formFieldsSchema.optional(),
});

const questionSchema = questionFields
  .refine(({ options, fields }) => !(fields?.length && options?.length), {
    path: ['fields'],
    message: 'a form has no options beside its fields',
  })
  .refine(({ options, multiple }) => !multiple || options?.length, {
    path: ['multiple'],
    message: 'several can only be chosen of options',
  });

export type Question = z.infer<typeof questionSchema>;

/** The question in the model's arguments, or what is wrong with them, written for the model. Unknown fields are dropped. */
export function parseQuestion(
  input: unknown,
): { readonly ok: true; readonly question: Question } | { readonly ok: false; readonly message: string } {
  const parsed = questionSchema.safeParse(input);
  if (parsed.success) return { ok: true, question: parsed.data };
  const problems = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
  return { ok: false, message: `The question is not valid. ${problems.join('; ')}` };
}
