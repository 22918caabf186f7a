import { z } from 'zod';
import { boundedObject } from '../bounded-json.ts';
import { formFieldsSchema } from '../field.ts';

const milliseconds = z
  .int()
  .min(0)
  .max(24 * 60 * 60 * 1_000);
const pattern = z.string().min(1).max(1_000);
const scriptText = z.string().max(20_000);

const scriptOptionSchema = z.strictObject({
  id: z.string().min(1).max(200),
  label: z.string().min(1).max(200),
  description: z.string().max(1_000).optional(),
  style: z.enum(['primary', 'danger', 'default']).optional(),
});

export const scriptStepSchema = z.union([
  z.strictObject({
    say: scriptText,
    repeat: z.int().min(1).max(100_000).optional(),
    delayMs: milliseconds.optional(),
  }),
  z.strictObject({ reason: scriptText, delayMs: milliseconds.optional() }),
  z.strictObject({
    call: z.string().min(1).max(64),
    input: boundedObject.optional(),
  }),
  z.strictObject({
    ask: z.strictObject({
      prompt: z.string().min(1).max(2_000),
      options: z.array(scriptOptionSchema).max(50).optional(),
      allowFreeform: z.boolean().optional(),
      multiple: z.boolean().optional(),
      fields: formFieldsSchema.optional(),
      action: z.string().max(60).optional(),
    }),
  }),
  z.strictObject({ wait: milliseconds }),
  z.strictObject({ fail: z.string().max(2_000) }),
  z.strictObject({ finish: z.enum(['stop', 'length', 'content-filter']) }),
]);

/** Whether `when` compiles is decided by the linear-time engine that will run it, not here. */
export const scriptRuleSchema = z.strictObject({
  when: pattern.optional(),
  steps: z.array(scriptStepSchema).min(1).max(200),
});

export const scriptSchema = z.array(scriptRuleSchema).max(500);

export type ScriptStep = z.infer<typeof scriptStepSchema>;
export type ScriptRule = z.infer<typeof scriptRuleSchema>;
export type Script = z.infer<typeof scriptSchema>;
