import { z } from 'zod';
import { boundedJson, jsonSize, objectSchema } from './bounded-json.ts';
import { maxFieldBytes, maxIdLength, maxJsonDepth, maxPageOutputBytes } from './bounds.ts';
import { firstIssue } from './first-issue.ts';
import { issueMessage } from './issue-message.ts';
import { judged } from './request-text.ts';
import { toolNameSchema } from './settings/tool-name.ts';
import { jsonFault, maxTextLength, wellFormedJson } from './text.ts';

/** A function that the visitor's page offers to the agent, and runs itself. */
export const clientToolSchema = z.strictObject({
  name: toolNameSchema,
  description: z.string().min(1).max(4_000),
  parameters: objectSchema,
});

const maxClientTools = 20;
const maxActionResults = 100;

const noResult = `Expected every 'actionResults' entry to be {callId, output} or {callId, error: text}, with a callId of at most ${maxIdLength} and an error of at most ${maxTextLength} characters, and an output of at most ${maxPageOutputBytes} bytes.`;
const callId = z.string().min(1).max(maxIdLength);

/** What came of a delegated call: its output, or in words why there is none. */
const actionResultSchema = z.union(
  [
    z.strictObject({ callId, output: boundedJson(maxPageOutputBytes) }),
    z.strictObject({ callId, error: z.string().min(1).max(maxTextLength) }),
  ],
  noResult,
);

export type ClientTool = z.infer<typeof clientToolSchema>;
export type ActionResult = { callId: string; output: unknown } | { callId: string; error: string };

const unclean = (field: string) =>
  `Expected '${field}' to be JSON without U+0000, nested at most ${maxJsonDepth} deep.`;

function judgeClientTools(value: unknown): string | null {
  const field = 'clientTools';
  if (!Array.isArray(value) || value.length > maxClientTools)
    return `Expected '${field}' to be an array of at most ${maxClientTools} tools.`;
  if (jsonFault(value) !== null) return unclean(field);
  return jsonSize(value) > maxFieldBytes
    ? `Expected '${field}' to have at most ${maxFieldBytes} bytes.`
    : null;
}

const clientToolEntrySchema = z.preprocess((value, context) => {
  const tool = clientToolSchema.safeParse(wellFormedJson(value), { error: issueMessage });
  if (tool.success) return tool.data;
  const { path, message } = firstIssue(tool.error);
  context.issues.push({
    code: 'custom',
    input: value,
    path,
    message: `Expected every 'clientTools' entry to be {name, description, parameters}: ${message}`,
  });
  return z.NEVER;
}, clientToolSchema);

/** An empty list takes the page's tools away. */
export const clientToolsSchema = judged(
  judgeClientTools,
  z
    .array(clientToolEntrySchema)
    .max(maxClientTools)
    .check(({ value, issues }) => {
      const index = value.findIndex(({ name }, at) => value.findIndex((tool) => tool.name === name) < at);
      if (index < 0) return;
      const message = `Expected 'clientTools' to name ${value[index]?.name} only once.`;
      issues.push({ code: 'custom', input: value, path: [index], message });
    })
    .describe(
      `Functions of the page, at most ${maxFieldBytes} bytes of them. They stay until they are replaced.`,
    ),
);

function judgeActionResults(value: unknown): string | null {
  const field = 'actionResults';
  if (!Array.isArray(value) || value.length === 0 || value.length > maxActionResults)
    return `Expected '${field}' to be a non-empty array of at most ${maxActionResults} results.`;
  return jsonFault(value) === null ? null : unclean(field);
}

export const actionResultsSchema = judged(
  judgeActionResults,
  z
    .array(actionResultSchema)
    .min(1)
    .max(maxActionResults)
    .overwrite((results) => wellFormedJson(results) as typeof results)
    .describe('What came of `action.delegated` calls. One that nobody waits for any more changes nothing.'),
);
