import { maxJsonDepth } from '@parley/protocol/bounds';
import { eachSchema, isObject, type SchemaNode } from '../tool/schema/schema-shape.ts';
import type { JsonSchema } from './model.ts';

/** A name of a property that Anthropic takes, wherever its models are served. */
const safeName = /^[\w.-]{1,64}$/;
/** With a number behind it, it still fits. */
const maxPlainLength = 56;

type Names = ReadonlyMap<string, string>;

export interface SafeNames {
  readonly parameters: JsonSchema;
  /** The names of the tool, each by its safe one, and the other way round. */
  readonly own: Names;
  readonly safe: Names;
}

const known = new WeakMap<JsonSchema, SafeNames | null>();

/** Parameters under names that every provider takes; null where they have no others. */
export function safeNames(parameters: JsonSchema): SafeNames | null {
  const before = known.get(parameters);
  if (before !== undefined) return before;
  const made = makeSafeNames(parameters);
  known.set(parameters, made);
  return made;
}

function makeSafeNames(parameters: JsonSchema): SafeNames | null {
  try {
    const safe = safeNamesOf(parameters);
    if (safe.size === 0) return null;
    const own = new Map([...safe].map(([name, plain]) => [plain, name]));
    return { parameters: renamedSchema(parameters, safe), own, safe };
  } catch {
    // A page may offer what is no schema.
    return null;
  }
}

/** Unlike every name of the schema, in whichever object: arguments are renamed without it. */
function safeNamesOf(parameters: JsonSchema): Names {
  const taken = new Set<string>();
  eachSchema(parameters, ({ properties }) => {
    for (const name of Object.keys(properties ?? {})) taken.add(name);
    return [];
  });
  const uses = new Map<string, number>();
  const safe = new Map<string, string>();
  for (const name of [...taken].filter((each) => !safeName.test(each))) {
    const plain = name.replaceAll(/[^\w.-]/g, '_').slice(0, maxPlainLength) || '_';
    let free: string;
    do {
      const use = (uses.get(plain) ?? 0) + 1;
      uses.set(plain, use);
      free = use === 1 ? plain : `${plain}_${use}`;
    } while (taken.has(free));
    taken.add(free);
    safe.set(name, free);
  }
  return safe;
}

/** Arguments, or any part of them, under the other names. What nests deeper than arguments may is left as it is. */
export function renamedKeys(value: unknown, names: Names, depth = 0): unknown {
  if (depth > maxJsonDepth) return value;
  if (Array.isArray(value)) return value.map((item) => renamedKeys(item, names, depth + 1));
  return isObject(value)
    ? mapEntries(value, (key, item) => [names.get(key) ?? key, renamedKeys(item, names, depth + 1)])
    : value;
}

function renamedSchema(schema: SchemaNode, names: Names): SchemaNode {
  return mapEntries(schema, (keyword, value) => {
    if (keyword === 'properties' && isObject(value))
      return [keyword, mapEntries(value, (name, inner) => renamedProperty(name, inner, names))];
    if (keyword === 'required' && Array.isArray(value))
      return [keyword, value.map((name: string) => names.get(name) ?? name)];
    if (keyword === '$ref' && typeof value === 'string') return [keyword, renamedPointer(value, names)];
    return [keyword, renamedInside(value, names)];
  });
}

const renamedInside = (value: unknown, names: Names): unknown => {
  if (Array.isArray(value)) return value.map((item) => renamedInside(item, names));
  return isObject(value) ? renamedSchema(value, names) : value;
};

/** Says its name where that is another one: no character of it may be left. */
function renamedProperty(name: string, schema: unknown, names: Names): readonly [string, unknown] {
  const safe = names.get(name);
  const inner = renamedInside(schema, names);
  if (safe === undefined || !isObject(inner)) return [safe ?? name, inner];
  const { description } = inner;
  const said = typeof description === 'string' ? `${name}: ${description}` : name;
  return [safe, { ...inner, description: said }];
}

const renamedPointer = (reference: string, names: Names): string =>
  reference.replaceAll(/(?<=\/properties\/)[^/]+/g, (part) => {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    return names.get(name) ?? part;
  });

const mapEntries = (
  value: SchemaNode,
  map: (key: string, value: unknown) => readonly [string, unknown],
): SchemaNode => Object.fromEntries(Object.entries(value).map(([key, item]) => map(key, item)));
