import type { JsonSchema } from '../../model/model.ts';

/** A schema that is no boolean, or any other JSON object. */
export type SchemaNode = Record<string, unknown>;

const schemaTypes = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const;

export const isObject = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isType = (value: unknown): boolean => schemaTypes.some((type) => type === value);
const isStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');
const isSchemas = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap = (value: unknown): boolean => isObject(value) && Object.values(value).every(isSchema);

type Rule = readonly [holds: (value: unknown) => boolean, words: string];

const schema: Rule = [isSchema, 'a schema'];
const schemas: Rule = [isSchemas, 'a list of schemas'];
const schemaMap: Rule = [isSchemaMap, 'an object of schemas'];
const count: Rule = [isCount, 'a whole number from 0 on'];
const number: Rule = [Number.isFinite, 'a number'];
const boolean: Rule = [(value) => typeof value === 'boolean', 'a boolean'];
const text: Rule = [(value) => typeof value === 'string', 'a string'];
const strings: Rule = [isStrings, 'a list of strings'];

/** What the value of each keyword of JSON Schema 2020-12 must be; others are annotations. */
const rules = new Map<string, Rule>([
  [
    'type',
    [
      (value) =>
        Array.isArray(value)
          ? value.length > 0 && value.length <= schemaTypes.length && value.every(isType)
          : isType(value),
      `one of ${schemaTypes.join(', ')}, or a list of them`,
    ],
  ],
  ['enum', [Array.isArray, 'a list']],
  ['multipleOf', [(value) => Number.isFinite(value) && Number(value) > 0, 'a number above 0']],
  ['maximum', number],
  ['minimum', number],
  ['exclusiveMaximum', number],
  ['exclusiveMinimum', number],
  ['maxLength', count],
  ['minLength', count],
  ['pattern', text],
  ['maxItems', count],
  ['minItems', count],
  ['uniqueItems', boolean],
  ['maxContains', count],
  ['minContains', count],
  ['maxProperties', count],
  ['minProperties', count],
  ['required', strings],
  [
    'dependentRequired',
    [(value) => isObject(value) && Object.values(value).every(isStrings), 'an object of lists of strings'],
  ],
  ['items', schema],
  ['prefixItems', schemas],
  ['contains', schema],
  ['unevaluatedItems', schema],
  ['properties', schemaMap],
  ['patternProperties', schemaMap],
  ['additionalProperties', schema],
  ['propertyNames', schema],
  ['unevaluatedProperties', schema],
  ['dependentSchemas', schemaMap],
  ['allOf', schemas],
  ['anyOf', schemas],
  ['oneOf', schemas],
  ['not', schema],
  ['if', schema],
  ['then', schema],
  ['else', schema],
  ['$defs', schemaMap],
  ['definitions', schemaMap],
  ['$ref', text],
  ['nullable', boolean],
]);

/** Keywords whose value is a schema, a list of schemas or an object of them. */
const holdsSchemas = new Set<Rule>([schema, schemas, schemaMap]);

/** The schemas that stand in a keyword's value. */
function schemasIn(keyword: string, value: unknown): unknown[] {
  const rule = rules.get(keyword);
  if (rule === undefined || !holdsSchemas.has(rule)) return [];
  return rule === schema ? [value] : Object.values(Object(value));
}

/**
 * Calls back for the schema and every schema in it, once each. Throws, in words for whoever wrote it, when a keyword's
 * value is not what the keyword takes.
 */
export function eachSchema(root: JsonSchema, visit: (node: SchemaNode) => readonly unknown[]): void {
  const seen = new Set<unknown>();
  const left: unknown[] = [root];
  while (left.length > 0) {
    const node = left.pop();
    if (!isObject(node) || seen.has(node)) continue;
    seen.add(node);
    for (const [keyword, value] of Object.entries(node)) {
      const rule = rules.get(keyword);
      if (rule && !rule[0](value)) throw new Error(`${keyword} must be ${rule[1]}`);
      left.push(...schemasIn(keyword, value));
    }
    left.push(...visit(node));
  }
}
