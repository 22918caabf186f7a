import { z } from 'zod';
import { boundedObject } from '../bounded-json.ts';
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

export const toolTestSchema = z.strictObject({ input: boundedObject.default({}) });
export const toolTestViewSchema = z.strictObject({
  status: z.enum(['completed', 'failed']),
  durationMs: z.number().nonnegative(),
  output: z.unknown(),
});

export type ToolCreate = z.infer<typeof toolCreateSchema>;
export type ToolPatch = z.infer<typeof toolPatchSchema>;
export type ToolSettings = z.infer<typeof toolSettingsSchema>;
export type ToolView = z.infer<typeof toolViewSchema>;
export type ToolTest = z.infer<typeof toolTestSchema>;
export type ToolTestView = z.infer<typeof toolTestViewSchema>;
