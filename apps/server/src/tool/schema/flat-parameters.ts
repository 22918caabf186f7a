import type { JsonSchema } from '../../model/model.ts';
import { parametersProblem } from './arguments-schema.ts';
import { schemaPointer } from './schema-cost.ts';
import { isObject, type SchemaNode } from './schema-shape.ts';

const combining = ['allOf', 'anyOf', 'oneOf', 'not', 'enum'] as const;

/**
 * Parameters as providers take them: several refuse all that is asked of them where the schema of one tool combines others at
 * its root. It takes more than the schema itself, which arguments are held against.
 */
export function flatParameters(parameters: JsonSchema): JsonSchema {
  if (!combining.some((keyword) => Object.hasOwn(parameters, keyword))) return parameters;
  // A page may offer any: its references might lead in a circle, or multiply.
  return parametersProblem(parameters) === undefined ? flat(parameters, parameters) : parameters;
}

function flat(schema: SchemaNode, root: JsonSchema): SchemaNode {
  const branchesOf = (keyword: 'allOf' | 'anyOf' | 'oneOf'): SchemaNode[] => {
    const branches: unknown = schema[keyword];
    return (Array.isArray(branches) ? branches : []).map((branch) => flatBranch(branch, root));
  };
  const all = branchesOf('allOf');
  const choices = [branchesOf('anyOf'), branchesOf('oneOf')].filter(({ length }) => length > 0);
  const rest = Object.entries(schema).filter(([keyword]) => !combining.some((each) => each === keyword));
  const inAny = choices.flatMap(([first, ...others]) =>
    requiredOf(first ?? {}).filter((name) => others.every((each) => requiredOf(each).includes(name))),
  );
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
