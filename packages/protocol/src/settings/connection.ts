import { z } from 'zod';
import {
  calendarCreateSchema,
  calendarPatchSchema,
  calendarSettingsSchema,
  calendarViewSchema,
} from './calendar-connection.ts';
import {
  type ComposioSettings,
  type ComposioView,
  composioCreateSchema,
  composioPatchSchema,
  composioSettingsSchema,
  composioViewSchema,
} from './composio-connection.ts';
import { mailCreateSchema, mailPatchSchema, mailSettingsSchema, mailViewSchema } from './mail-connection.ts';
import {
  type McpSettings,
  type McpView,
  mcpCreateSchema,
  mcpPatchSchema,
  mcpSettingsSchema,
  mcpViewSchema,
} from './mcp-connection.ts';

// What an agent is connected to. Each connection brings tools, called `<its name>__<the tool's name>`. A kind has its
// fields in a file beside this one.

export const connectionCreateSchema = z.discriminatedUnion('kind', [
  mcpCreateSchema,
  composioCreateSchema,
  calendarCreateSchema,
  mailCreateSchema,
]);

/** What is stored and used at run time. */
export const connectionSettingsSchema = z.discriminatedUnion('kind', [
  mcpSettingsSchema,
  composioSettingsSchema,
  calendarSettingsSchema,
  mailSettingsSchema,
]);

export const connectionViewSchema = z.discriminatedUnion('kind', [
  mcpViewSchema,
  composioViewSchema,
  calendarViewSchema,
  mailViewSchema,
]);

/** A patch does not name its kind: the connection has one, and it stays. Fields of another kind are refused. */
export const connectionPatchSchema = z.strictObject({
  ...composioPatchSchema.shape,
  ...mcpPatchSchema.shape,
  ...calendarPatchSchema.shape,
  ...mailPatchSchema.shape,
});

export type ConnectionCreate = z.infer<typeof connectionCreateSchema>;
export type ConnectionPatch = z.infer<typeof connectionPatchSchema>;
export type ConnectionSettings = z.infer<typeof connectionSettingsSchema>;
export type ConnectionView = z.infer<typeof connectionViewSchema>;
/** Those whose tools run at a server of others. */
export type RemoteSettings = McpSettings | ComposioSettings;
export type RemoteView = McpView | ComposioView;
