import { z } from 'zod';
import {
  httpToolViewSchema,
  httpToolCreateSchema,
  httpToolPatchSchema,
  httpToolSettingsSchema,
} from './http-tool.ts';

// Every kind of tool that an administrator sets up. A kind has its schemas in a file beside this one.

export const toolCreateSchema = z.discriminatedUnion('kind', [httpToolCreateSchema]);

/** What is stored and used at run time. */
export const toolSettingsSchema = z.discriminatedUnion('kind', [httpToolSettingsSchema]);

export const toolViewSchema = z.discriminatedUnion('kind', [httpToolViewSchema]);

/** A patch does not name its kind: the tool has one, and it stays. */
export const toolPatchSchema = z.union([httpToolPatchSchema]);

export type ToolCreate = z.infer<typeof toolCreateSchema>;
export type ToolPatch = z.infer<typeof toolPatchSchema>;
export type ToolSettings = z.infer<typeof toolSettingsSchema>;
export type ToolView = z.infer<typeof toolViewSchema>;
