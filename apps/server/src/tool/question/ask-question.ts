import { formFieldsSchema } from '@parley/protocol/field';
import { z } from 'zod';
import type { VisitorTool } from '../tool.ts';

const bound = { anyOf: [{ type: 'number' }, { type: 'string' }] };

const toolName = 'ask_question';

/** How the model asks the visitor. */
export const askQuestion: VisitorTool = {
  executor: 'visitor',
  name: toolName,
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
      action: {
        type: 'string',
        description:
          'What the button of a form says that it does, such as "Book the table". At most 60 characters.',
      },
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
  invalid(input) {
    const parsed = parseQuestion(input);
    return parsed.ok ? undefined : parsed.message;
  },
  request(callId, input) {
    const { prompt, options, allowFreeform, multiple, fields } = questionSchema.parse(input);
    // Its extras stand in the action's input: a client that does not know them lets the visitor type.
    const plain = options && !multiple && !fields?.length;
    return {
      requestId: callId,
      kind: 'question',
      prompt,
      action: { kind: 'tool-call', callId, toolName, input },
      display: plain ? 'select' : 'text',
      ...(allowFreeform === undefined ? {} : { allowFreeform }),
      ...(options ? { options } : {}),
    };
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
  action: z.string().max(60).optional(),
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

type Question = z.infer<typeof questionSchema>;

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
