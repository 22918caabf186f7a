import { z } from 'zod';
import { formFieldsSchema } from '../field.ts';
import { httpUrl } from './field.ts';

export const accent = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as #2563eb.');

/** What a visitor agrees to before the first message. */
const consentSchema = z.strictObject({
  text: z.string().min(1).max(2_000),
  link: httpUrl.optional(),
});

/** What a visitor is asked before the first message; the answers go with it as its context. */
const formSchema = z.strictObject({
  title: z.string().max(200).optional(),
  fields: formFieldsSchema.min(1).max(10),
});

/** Validated tokens only: nothing a tenant writes here becomes CSS, HTML or a script address. */
export const widgetSettingsSchema = z.strictObject({
  /** Absent: the agent's name. */
  name: z.string().min(1).max(80).optional(),
  greeting: z.string().max(500).default('Hi! How can I help?'),
  prompts: z.array(z.string().min(1).max(200)).max(4).default([]),
  accent: accent.default('#2563eb'),
  theme: z.enum(['light', 'dark', 'auto']).default('auto'),
  position: z.enum(['start', 'end']).default('end'),
  privacyUrl: httpUrl.optional(),
  /** A line beside the launcher. */
  teaser: z.string().max(200).optional(),
  consent: consentSchema.optional(),
  form: formSchema.optional(),
});

export type WidgetSettings = z.infer<typeof widgetSettingsSchema>;
