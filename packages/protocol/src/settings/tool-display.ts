import { z } from 'zod';
import { languageSchema, maxLanguages } from './language.ts';

const textByLanguage = (maxLength: number) =>
  z
    .record(languageSchema, z.string().min(1).max(maxLength))
    .refine((texts) => Object.keys(texts).length > 0, 'Expected a text in one language at least.')
    .refine(
      (texts) => Object.keys(texts).length <= maxLanguages,
      `Expected at most ${maxLanguages} languages.`,
    )
    .meta({ minProperties: 1, maxProperties: maxLanguages });

/** How visitors see calls of a tool, by language. Public: whoever has a publishable key of the agent can read it. */
export const toolDisplaySchema = z.strictObject({
  title: textByLanguage(80).describe('The name of the tool for visitors, such as {"en": "Refund"}.'),
  summary: textByLanguage(300)
    .describe(
      'What a call does, as an approval asks it: {"en": "Refund order {{order}} in full"}. `{{order}}` is an argument.',
    )
    .optional(),
});

export type ToolDisplay = z.infer<typeof toolDisplaySchema>;
