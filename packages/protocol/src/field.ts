import { z } from 'zod';

const bound = z
  .union([z.number(), z.iso.date('Expected a number or a date as yyyy-mm-dd.')])
  .describe('A number for a number, yyyy-mm-dd for a date.');

const fieldOptionSchema = z.strictObject({
  id: z.string().min(1).max(200),
  label: z.string().min(1).max(200),
});

/** One field of a form that a visitor fills in. */
export const formFieldSchema = z
  .strictObject({
    name: z
      .string()
      .max(64)
      .regex(/^[A-Za-z][\w-]{0,63}$/, 'Expected a letter, then up to 63 letters, digits, _ or -.'),
    label: z.string().min(1).max(200),
    type: z
      .enum(['text', 'multiline', 'email', 'tel', 'url', 'number', 'date', 'select', 'checkbox'])
      .default('text'),
    required: z.boolean().optional(),
    description: z.string().max(500).optional(),
    placeholder: z.string().max(200).optional(),
    options: z
      .array(fieldOptionSchema)
      .min(1)
      .max(50)
      .refine((options) => allDiffer(options.map(({ id }) => id)), 'Two options have the same id.')
      .describe('Of a select, which has them.')
      .optional(),
    minimum: bound.optional(),
    maximum: bound.optional(),
    maxLength: z.int().min(1).max(20_000).describe('Characters.').optional(),
  })
  .check(({ value, issues }) => {
    const refuse = (name: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [name], message });
    const { type, options, minimum, maximum } = value;
    if (type === 'select' && !options) refuse('options', 'A select needs options.');
    if (type !== 'select' && options) refuse('options', 'Only a select has options.');
    const expected = type === 'number' ? 'number' : type === 'date' ? 'string' : 'undefined';
    for (const [name, limit] of Object.entries({ minimum, maximum })) {
      if (limit !== undefined && typeof limit !== expected) refuse(name, boundMessage(type));
    }
    if (minimum !== undefined && maximum !== undefined && minimum > maximum)
      refuse('maximum', 'The maximum is below the minimum.');
  });

/** A form: no two of its fields have the same name. */
export const formFieldsSchema = z
  .array(formFieldSchema)
  .max(20)
  .refine((fields) => allDiffer(fields.map(({ name }) => name)), 'Two fields have the same name.');

export type FormField = z.infer<typeof formFieldSchema>;

function boundMessage(type: string): string {
  if (type === 'number') return 'Expected a number.';
  if (type === 'date') return 'Expected a date as yyyy-mm-dd.';
  return 'Only a number or a date has a minimum and a maximum.';
}

function allDiffer(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
