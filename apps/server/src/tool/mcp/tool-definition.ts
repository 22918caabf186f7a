import { createHash } from 'node:crypto';
import {
  type ApprovedTool,
  type ListedTool,
  maxRemoteDescriptionLength,
  type ToolDefinition,
} from '@parley/protocol/settings/mcp-connection';
import { jsonFault } from '@parley/protocol/text';
import { parametersProblem } from '../schema/arguments-schema.ts';

/** Characters of a parameter schema as JSON: of a hundred tools each is sent with every call of the model. */
const maxSchemaLength = 32_768;
const maxTitleLength = 200;

/**
 * Characters that a person who approves a text does not see, and a model reads. Joiners, marks of direction and what
 * chooses how an emoji is drawn are parts of words; more than two of them in a row are none.
 */
const hidden =
  /[\p{Default_Ignorable_Code_Point}--[\u200C-\u200F]--[\uFE0E-\uFE0F]]|(?:[\u200C-\u200F]|[\uFE0E-\uFE0F]){3}|[\uFFF9-\uFFFB]|[\p{Cc}--[\t\n\r]]/v;

/** A tool as its server lists it. */
export interface RemoteTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: object;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/** What is kept of a listed tool; one that cannot be used says why. */
export function listedTool({
  name,
  title,
  description = '',
  inputSchema,
  annotations = {},
}: RemoteTool): ListedTool {
  const problem = problemOf({ name, title, description, inputSchema, annotations });
  const readOnly = annotations['readOnlyHint'] === true;
  const isJson = jsonFault({ inputSchema, annotations }) === null;
  return {
    name,
    fingerprint: digestOf({ name, title, description, ...(isJson && { inputSchema, annotations }) }),
    definition: {
      title: title?.slice(0, maxTitleLength).toWellFormed() ?? null,
      description: description.slice(0, maxRemoteDescriptionLength).toWellFormed(),
      parameters: problem === null ? { ...inputSchema, type: 'object' } : { type: 'object' },
      hints: {
        readOnly,
        // As the protocol has it: whoever does not say otherwise may destroy.
        destructive: !readOnly && annotations['destructiveHint'] !== false,
        idempotent: readOnly || annotations['idempotentHint'] === true,
      },
    },
    problem,
  };
}

function problemOf({ name, title, description = '', inputSchema, annotations }: RemoteTool): string | null {
  if (description.length > maxRemoteDescriptionLength)
    return `Its description is longer than ${maxRemoteDescriptionLength} characters.`;
  const fault = jsonFault({ inputSchema, annotations });
  if (fault === 'depth') return 'Its parameters are nested too deep.';
  if (fault === 'nul') return 'Its definition has a NUL character.';
  const schema = JSON.stringify(inputSchema);
  if (schema.length > maxSchemaLength)
    return `The schema of its parameters is longer than ${maxSchemaLength} characters.`;
  if ([name, title ?? '', description, schema].some((text) => hidden.test(text)))
    return 'Its definition has characters that nobody sees, which a model would read.';
  const wrong = parametersProblem({ ...inputSchema });
  return wrong === undefined ? null : `The schema of its parameters cannot be used: ${wrong.slice(0, 300)}.`;
}

/** What its server's hints speak for: what only reads runs by itself. */
export function proposedApproval({ hints }: ToolDefinition): ApprovedTool['approval'] {
  return hints.readOnly && !hints.destructive ? 'never' : 'always';
}

/** The same for values that differ in nothing but the order of their fields. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('base64url');
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, inner]) => [name, sorted(inner)]);
}
