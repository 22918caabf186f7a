import { createHash } from 'node:crypto';
import {
  type ApprovedTool,
  type ListedTool,
  maxRemoteDescriptionLength,
  type ToolDefinition,
} from '@parley/protocol/settings/mcp-connection';
import { jsonFault } from '@parley/protocol/text';
import type { Redactor } from '../redact.ts';
import { parametersProblem } from '../schema/arguments-schema.ts';

/** Characters of a parameter schema as JSON: of a hundred tools each is sent with every call of the model. */
const maxSchemaLength = 32_768;
/** Characters of what a tool says of itself beside its description, as JSON: three of its hints are read. */
const maxAnnotationsLength = 32_768;
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

/**
 * What is kept of a listed tool, without what its server repeats of the secrets that it was shown; one that cannot be used
 * says why.
 */
export function listedTool(remote: RemoteTool, redactor: Redactor): ListedTool {
  const { annotations = {} } = remote;
  const name = redactor.text(remote.name);
  const title = remote.title === undefined ? undefined : redactor.text(remote.title);
  const description = redactor.text(remote.description ?? '');
  // Judged as it was sent: a redactor replaces NUL characters, and throws for what is large or deep.
  const flaw = flawOf({ ...remote, annotations });
  const isJson = jsonFault({ inputSchema: remote.inputSchema, annotations }) === null;
  const json =
    flaw === null ? redactedJson(remote, redactor) : { inputSchema: remote.inputSchema, annotations };
  // What has another name here than there would be called by a name that its server does not know.
  const problem =
    flaw ??
    nameFlawOf(remote.name, redactor) ??
    fieldFlawOf(remote.inputSchema, redactor) ??
    schemaFlawOf(json.inputSchema);
  const readOnly = annotations['readOnlyHint'] === true;
  return {
    name,
    fingerprint: digestOf({ name, title, description, ...(isJson && json) }),
    definition: {
      title: title?.slice(0, maxTitleLength).toWellFormed() ?? null,
      description: description.slice(0, maxRemoteDescriptionLength).toWellFormed(),
      parameters: problem === null ? { ...json.inputSchema, type: 'object' } : { type: 'object' },
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

type DefinitionJson = Required<Pick<RemoteTool, 'inputSchema' | 'annotations'>>;

function redactedJson({ inputSchema, annotations = {} }: RemoteTool, redactor: Redactor): DefinitionJson {
  // A redactor changes texts and names of fields, and nothing of what has which.
  return redactor.json({ inputSchema, annotations }) as DefinitionJson;
}

function flawOf({
  name,
  title,
  description = '',
  inputSchema,
  annotations,
}: RemoteTool & DefinitionJson): string | null {
  if (description.length > maxRemoteDescriptionLength)
    return `Its description is longer than ${maxRemoteDescriptionLength} characters.`;
  const fault = jsonFault({ inputSchema, annotations });
  if (fault === 'depth') return 'Its parameters are nested too deep.';
  if (fault === 'nul') return 'Its definition has a NUL character.';
  const schema = JSON.stringify(inputSchema);
  if (schema.length > maxSchemaLength)
    return `The schema of its parameters is longer than ${maxSchemaLength} characters.`;
  if (JSON.stringify(annotations).length > maxAnnotationsLength)
    return `Its annotations are longer than ${maxAnnotationsLength} characters.`;
  return [name, title ?? '', description, schema].some((text) => hidden.test(text))
    ? 'Its definition has characters that nobody sees, which a model would read.'
    : null;
}

function nameFlawOf(name: string, redactor: Redactor): string | null {
  if (!name.isWellFormed()) return 'Its name has half a character.';
  return redactor.text(name) === name ? null : 'Its name repeats a secret that the server was shown.';
}

/** Of the names of fields, however deep: those of parameters, and the words that a schema is made of. */
function fieldFlawOf(schema: object, redactor: Redactor): string | null {
  const names = fieldNames(schema);
  if (!names.every((name) => name.isWellFormed())) return 'A name in its parameters has half a character.';
  return names.every((name) => redactor.text(name) === name)
    ? null
    : 'Its parameters repeat a secret that the server was shown.';
}

function fieldNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(fieldNames);
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}

function schemaFlawOf(inputSchema: object): string | null {
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
