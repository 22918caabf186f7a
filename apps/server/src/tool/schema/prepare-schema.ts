import { maxJsonDepth } from '@parley/protocol/bounds';
import { jsonFault } from '@parley/protocol/text';
import type { JsonSchema } from '../../model/model.ts';
import { type LinearPattern, linearPattern } from './linear-pattern.ts';
import { schemaCost, schemaPointer } from './schema-cost.ts';
import { eachSchema } from './schema-shape.ts';

const maxSchemaLength = 65_536;
const maxSchemaCost = 20_000;
/** Characters of all patterns of a schema: compiling them is what preparing costs most. */
const maxPatternsLength = 1_000;

export interface PreparedSchema {
  readonly patterns: ReadonlyMap<string, LinearPattern>;
  /** What each `$ref` points to. */
  readonly references: ReadonlyMap<string, unknown>;
  /** Some keyword wants to know which properties and items others have looked at. */
  readonly tracksEvaluated: boolean;
  /** Characters of it, with what each `$ref` points to in its place. */
  readonly length: number;
}

/** Kept for as long as the schema itself: nothing of a schema outlives it. */
const prepared = new WeakMap<JsonSchema, PreparedSchema>();

/** Checks that values can be held against the schema. Throws, in words for whoever wrote it, when they cannot. */
export function prepareSchema(schema: JsonSchema): PreparedSchema {
  const known = prepared.get(schema);
  if (known) return known;
  if (jsonFault(schema) === 'depth') throw new Error(`it is nested deeper than ${maxJsonDepth} levels`);
  if (JSON.stringify(schema).length > maxSchemaLength)
    throw new Error(`it is longer than ${maxSchemaLength} characters`);
  const patterns = new Set<string>();
  const references = new Map<string, unknown>();
  let tracksEvaluated = false;
  let patternsLength = 0;
  eachSchema(schema, (node) => {
    const { pattern, patternProperties, $ref } = node;
    for (const text of [
      ...(typeof pattern === 'string' ? [pattern] : []),
      ...Object.keys(patternProperties ?? {}),
    ]) {
      if (patterns.has(text)) continue;
      patternsLength += text.length;
      if (patternsLength > maxPatternsLength)
        throw new Error(`its patterns have more than ${maxPatternsLength} characters together`);
      patterns.add(text);
    }
    tracksEvaluated ||= node['unevaluatedProperties'] !== undefined || node['unevaluatedItems'] !== undefined;
    if (typeof $ref !== 'string') return [];
    if (!references.has($ref)) references.set($ref, schemaPointer(schema, $ref));
    return [references.get($ref)];
  });
  const { nodes, length } = schemaCost(schema);
  if (nodes > maxSchemaCost) throw new Error('its references multiply beyond what can be checked');
  const compiled = new Map([...patterns].map((text) => [text, linearPattern(text)]));
  const result = { patterns: compiled, references, tracksEvaluated, length };
  prepared.set(schema, result);
  return result;
}
