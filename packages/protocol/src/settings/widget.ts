import { z } from 'zod';
import { formFieldsSchema } from '../field.ts';
import { httpUrl } from './field.ts';
import { languageSchema, maxLanguages } from './language.ts';
import { pictureOf } from './picture.ts';

export const accent = z
  .string()
  .max(7)
  .regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as #2563eb.');

const consentSchema = z
  .strictObject({
    text: z.string().min(1).max(2_000),
    link: httpUrl.describe('Where to read more.').optional(),
  })
  .describe('What a visitor agrees to before the first message. A changed one is asked again.');

const formSchema = z
  .strictObject({
    title: z.string().max(200).optional(),
    fields: formFieldsSchema.min(1).max(10),
    action: z.string().min(1).max(60).describe('What its button says.').optional(),
  })
  .describe(
    'What a visitor is asked before the first message. The answers are the `visitor` of its context.',
  );

/** Inline: the launcher shows it without another request or host. */
const avatar = pictureOf('png', 'jpeg', 'webp', 'avif', 'svg+xml');

const greeting = z.string().max(500);
const prompts = z.array(z.string().min(1).max(200)).max(4);
const teaser = z
  .string()
  .max(200)
  .describe('A line beside the launcher, on pages whose own `teaser` is empty.');

const wordsSchema = z.strictObject({
  greeting: greeting.optional(),
  prompts: prompts.optional(),
  teaser: teaser.optional(),
  consent: consentSchema.optional(),
  form: formSchema.optional(),
});

/** Validated tokens only: nothing a tenant writes here becomes CSS, HTML or a script address. */
export const widgetSettingsSchema = z.strictObject({
  /** Absent: the agent's name. */
  name: z.string().min(1).max(80).optional(),
  avatar: avatar.optional(),
  greeting: greeting.default('Hi! How can I help?'),
  prompts: prompts.default([]),
  accent: accent.default('#2563eb'),
  theme: z.enum(['light', 'dark', 'auto']).default('auto'),
  position: z.enum(['start', 'end']).default('end'),
  privacyUrl: httpUrl.optional(),
  teaser: teaser.optional(),
  consent: consentSchema.optional(),
  form: formSchema.optional(),
  languages: z
    .record(languageSchema, wordsSchema)
    .refine(
      (languages) => Object.keys(languages).length <= maxLanguages,
      `Expected at most ${maxLanguages} languages.`,
    )
    .meta({ maxProperties: maxLanguages })
    .describe('What is said otherwise to visitors of a language, such as {"de": {"greeting": "Hallo!"}}.')
    .optional(),
});

export type WidgetWords = z.infer<typeof wordsSchema>;
export type WidgetSettings = z.infer<typeof widgetSettingsSchema>;
