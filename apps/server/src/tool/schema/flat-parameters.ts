import type { JsonSchema } from '../../model/model.ts';
import { parametersProblem } from './arguments-schema.ts';
import { prepareSchema } from './prepare-schema.ts';
import { schemaPointer } from './schema-cost.ts';
import { isObject, type SchemaNode } from './schema-shape.ts';

const combining = ['allOf', 'anyOf', 'oneOf', 'not', 'enum'] as const;

/** Characters that are put together at most, references followed: whoever has a page may offer any schema. */
const maxLength = 1_000_000;
/** Characters that a model is offered at most in place of the schema, as many as it may have itself. */
const maxFlatLength = 65_536;
/** Where references still lead once branches are put together. */
const definitions = /^#\/(?:\$defs|definitions)\//;

/**
 * Parameters as providers take them: several refuse all that is asked of them where the schema of one tool combines others at
 * its root. It takes more than the schema itself, which arguments are held against. One that cannot be held against
 * anything, or that references make huge, stays as it is.
 */
export function flatParameters(parameters: JsonSchema): JsonSchema {
  if (!combining.some((keyword) => Object.hasOwn(parameters, keyword))) return parameters;
  if (parametersProblem(parameters) !== undefined || prepareSchema(parameters).length > maxLength)
    return parameters;
  const root = Object.fromEntries(
    Object.entries(parameters).map(([keyword, value]) => [keyword, settled(value, parameters)]),
  );
  const offered = flat(root, root);
  return JSON.stringify(offered).length > maxFlatLength ? parameters : offered;
}

/** The same without references to what has another place later. */
function settled(value: unknown, root: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((each) => settled(each, root));
  if (!isObject(value)) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, settled(each, root)]));
  const { $ref, ...rest } = inner;
  if (typeof $ref !== 'string' || definitions.test($ref)) return inner;
  return { ...Object(settled(schemaPointer(root, $ref), root)), ...rest };
}

function flat(schema: SchemaNode, root: JsonSchema): SchemaNode {
  const branchesOf = (keyword: 'allOf' | 'anyOf' | 'oneOf'): SchemaNode[] => {
    const branches: unknown = schema[keyword];
    return (Array.isArray(branches) ? branches : []).map((branch) => flatBranch(branch, root));
  };
  const all = branchesOf('allOf');
  const choices = [branchesOf('anyOf'), branchesOf('oneOf')].filter(({ length }) => length > 0);
  const rest = Object.entries(schema).filter(([keyword]) => !combining.some((each) => each === keyword));
  const inAny = choices.flatMap((branches) => {
    const [first = [], ...others] = branches.map((branch) => new Set(requiredOf(branch)));
    return [...first].filter((name) => others.every((each) => each.has(name)));
  });
  const required = new Set([...[schema, ...all].flatMap(requiredOf), ...inAny]);
  return {
    ...Object.fromEntries(rest),
    properties: together([schema, ...all, ...choices.flat()]),
    ...(required.size > 0 && { required: [...required] }),
  };
}

function flatBranch(branch: unknown, root: JsonSchema): SchemaNode {
  if (!isObject(branch)) return {};
  const { $ref } = branch;
  return flat(
    typeof $ref === 'string'
      ? { allOf: [schemaPointer(root, $ref), { ...branch, $ref: undefined }] }
      : branch,
    root,
  );
}

/** The properties of all of them; one that is another thing in each is any of these. */
function together(schemas: readonly SchemaNode[]): SchemaNode {
  const found = new Map<string, Map<string, unknown>>();
  for (const { properties } of schemas) {
    for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
      const known = found.get(name) ?? new Map<string, unknown>();
      found.set(name, known.set(JSON.stringify(schema), schema));
    }
  }
  const merged = [...found].map(([name, known]) => {
    const [first, ...others] = known.values();
    return [name, others.length === 0 ? first : { anyOf: [first, ...others] }] as const;
  });
  return Object.fromEntries(merged);
}

const requiredOf = ({ required }: SchemaNode): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
