import { z } from 'zod';
import { filesSchema } from './settings/files.ts';
import { toolDisplaySchema } from './settings/tool-display.ts';
import { widgetSettingsSchema } from './settings/widget.ts';

/**
 * What anybody may read about a publishable key: how its widget looks, or why it does not work here. An allow-list:
 * nothing else of an agent is public.
 */
export const widgetConfigSchema = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** The name in the paths of the Sessions interface. */
    platform: z.string(),
    widget: widgetSettingsSchema.required({ name: true }),
    files: filesSchema,
    /** Visitors may be written to when a long turn is finished. */
    readyMail: z.literal(true).optional(),
    /** Of the tools that say how visitors see them, by name. */
    tools: z.record(
      z.string(),
      z.object({
        ...toolDisplaySchema.shape,
        /** Of the arguments whose schema has a title. */
        labels: z.record(z.string(), z.string()),
      }),
    ),
  }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(['unknown-key', 'no-agent', 'agent-inactive', 'origin-not-allowed']),
    message: z.string(),
    /** With `agent-inactive`: what the tenant says to visitors meanwhile. */
    notice: z.string().optional(),
    /** The exact origin to add to the key's list. */
    origin: z.string().optional(),
  }),
]);

export type WidgetConfig = z.infer<typeof widgetConfigSchema>;
