import { z } from 'zod';
import { boundedJson, jsonSize, objectSchema } from './bounded-json.ts';
import { maxFieldBytes, maxIdLength, maxJsonDepth, maxPageOutputBytes } from './bounds.ts';
import { Refusal } from './parsed.ts';
import { boundedText } from './refuse-text.ts';
import { toolNameSchema } from './settings/tool.ts';
import { jsonFault, maxTextLength, wellFormedJson } from './text.ts';

/** A function that the visitor's page offers to the agent, and runs itself. */
export const clientToolSchema = z.strictObject({
  name: toolNameSchema,
  description: z.string().min(1).max(4_000),
  parameters: objectSchema,
});

/** What came of a delegated call: its output, or in words why there is none. */
export const actionResultSchema = z.union([
  z.strictObject({ callId: z.string().min(1).max(maxIdLength), output: boundedJson(maxPageOutputBytes) }),
  z.strictObject({ callId: z.string().min(1).max(maxIdLength), error: z.string().min(1).max(maxTextLength) }),
]);

export const maxClientTools = 20;
export const maxActionResults = 100;

export type ClientTool = z.infer<typeof clientToolSchema>;
export type ActionResult = { callId: string; output: unknown } | { callId: string; error: string };

/** Null when there are none: the tools of the session stay. An empty list takes them away. */
export function parseClientTools(value: unknown): ClientTool[] | null {
  const field = 'clientTools';
  if (value === undefined) return null;
  if (!Array.isArray(value) || value.length > maxClientTools) {
    throw new Refusal(`Expected '${field}' to be an array of at most ${maxClientTools} tools.`, field);
  }
  if (jsonFault(value) !== null) {
    throw new Refusal(
      `Expected '${field}' to be JSON without U+0000, nested at most ${maxJsonDepth} deep.`,
      field,
    );
  }
  if (jsonSize(value) > maxFieldBytes) {
    throw new Refusal(`Expected '${field}' to have at most ${maxFieldBytes} bytes.`, field);
  }
  const names = new Set<string>();
  return value.map((entry: unknown, index) => {
    const tool = clientToolSchema.safeParse(wellFormedJson(entry));
    if (!tool.success) {
      const [issue] = tool.error.issues;
      const at = (issue?.path ?? []).map((part) => (typeof part === 'symbol' ? String(part) : part));
      throw new Refusal(
        `Expected every '${field}' entry to be {name, description, parameters}: ${issue?.message}`,
        field,
        index,
        ...at,
      );
    }
    const { name } = tool.data;
    if (names.has(name)) throw new Refusal(`Expected '${field}' to name ${name} only once.`, field, index);
    names.add(name);
    return tool.data;
  });
}

export function parseActionResults(value: unknown): ActionResult[] {
  const field = 'actionResults';
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0 || value.length > maxActionResults) {
    throw new Refusal(
      `Expected '${field}' to be a non-empty array of at most ${maxActionResults} results.`,
      field,
    );
  }
  if (jsonFault(value) !== null) {
    throw new Refusal(
      `Expected '${field}' to be JSON without U+0000, nested at most ${maxJsonDepth} deep.`,
      field,
    );
  }
  return value.map((entry: unknown, index): ActionResult => {
    const result = actionResultSchema.safeParse(wellFormedJson(entry));
    if (!result.success) {
      throw new Refusal(
        `Expected every '${field}' entry to be {callId, output} or {callId, error: text}, with a callId of at most ${maxIdLength} and an error of at most ${maxTextLength} characters, and an output of at most ${maxPageOutputBytes} bytes.`,
        field,
        index,
      );
    }
    if ('error' in result.data) return { ...result.data, error: boundedText(result.data.error, field) };
    return result.data;
  });
}
