import { z } from 'zod';
import { httpUrl } from './field.ts';

export const accent = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as #2563eb.');

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
});

/** HS256 wants a key as long as its digest. */
export type WidgetSettings = z.infer<typeof widgetSettingsSchema>;
