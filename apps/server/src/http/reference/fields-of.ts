import { alternativesOf, type JsonSchema, refName } from './json-schema.ts';

/** A line of the reference. */
export interface Field {
  /** From the body, as in `widget.languages.*.greeting` and `items[].id`. */
  readonly path: string;
  readonly type: string;
  /** The schemas that the type names. */
  readonly references: readonly string[];
  readonly required: boolean;
  readonly description: string;
  readonly bounds: string;
}

/** Deeper ones are told by the type of the field that they are in. */
const deepest = 5;

/** Every field of a schema, those of the schemas that it names excepted. */
export function fieldsOf(schema: JsonSchema, path = '', depth = 0): Field[] {
  if (depth > deepest) return [];
  const objects = alternativesOf(schema).filter(({ properties }) => properties);
  const names = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].flatMap((name) => {
    const having = objects.filter(({ properties }) => properties?.[name]);
    const found = having.map(({ properties }) => properties?.[name] ?? {});
    const whole = found.length === 1 ? (found[0] ?? {}) : merged(found);
    const field = path === '' ? name : `${path}.${name}`;
    const only = having.length < objects.length ? whereOf(having, objects) : '';
    return [
      {
        path: field,
        type: typeOf(whole),
        references: referencesOf(whole),
        required:
          having.length === objects.length && objects.every(({ required }) => required?.includes(name)),
        description: [only, ...new Set(found.map(({ description = '' }) => description))]
          .filter(Boolean)
          .join(' '),
        bounds: boundsOf(whole),
      },
      ...within(whole, field, depth + 1),
    ];
  });
}

function within(schema: JsonSchema, path: string, depth: number): Field[] {
  const parts = alternativesOf(schema);
  return [
    ...fieldsOf(schema, path, depth),
    ...lists(parts).flatMap((items) => within(items, `${path}[]`, depth)),
    ...parts
      .map(({ additionalProperties }) => additionalProperties)
      .filter((values) => typeof values === 'object')
      .flatMap((values) => within(values, `${path}.*`, depth)),
  ];
}

function lists(parts: readonly JsonSchema[]): JsonSchema[] {
  const items = parts.flatMap((part) => part.items ?? []);
  return items.length > 1 ? [merged(items)] : items;
}

/** One schema of several that may stand in the same place; equal ones count once. */
function merged(found: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
  const [first = {}] = distinct;
  return distinct.length === 1 ? first : { anyOf: distinct };
}

/** Which of the objects have a field, by what tells them apart. */
function whereOf(having: readonly JsonSchema[], objects: readonly JsonSchema[]): string {
  const name = Object.keys(objects[0]?.properties ?? {}).find((each) =>
    objects.every(({ properties }) => properties?.[each]?.const !== undefined),
  );
  if (name === undefined) return '';
  return `With \`${name}\` ${having.map(({ properties }) => `\`${String(properties?.[name]?.const)}\``).join(', ')}.`;
}

function referencesOf(schema: JsonSchema): string[] {
  const here = alternativesOf(schema).flatMap(({ $ref, items }) => [
    ...($ref ? [refName($ref)] : []),
    ...(items ? referencesOf(items) : []),
  ]);
  return [...new Set(here)];
}

function typeOf(schema: JsonSchema): string {
  const parts = [...new Set(alternativesOf(schema).map(typeOfOne))];
  const isNullable = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(({ type }) => type === 'null');
  return [...parts, ...(isNullable ? ['null'] : [])].join(' or ') || 'anything';
}

function typeOfOne({ $ref, const: constant, enum: values, type, format, items }: JsonSchema): string {
  if ($ref) return refName($ref);
  if (constant !== undefined) return JSON.stringify(constant);
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ');
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`;
  if (format === 'date-time') return 'time';
  return Array.isArray(type) ? type.join(' or ') : String(type ?? 'anything');
}

function boundsOf(schema: JsonSchema): string {
  const { default: fallback } = schema;
  const known = alternativesOf(schema).flatMap((part) => [
    range(part.minLength, part.maxLength, 'character'),
    range(part.minItems, part.maxItems, 'entry'),
    range(safe(part.minimum), safe(part.maximum), ''),
  ]);
  const set = isPlain(fallback) ? `${JSON.stringify(fallback)} by default` : '';
  return [...new Set([...known, set])].filter(Boolean).join('; ');
}

const isPlain = (value: unknown) =>
  value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length === 0);

/** What only says that a number is whole is no bound. */
const safe = (bound: number | undefined) =>
  bound !== undefined && Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const say = (value: number) => value.toLocaleString('en');
  const units = unit === 'entry' ? 'entries' : `${unit}s`;
  if (most === undefined)
    return least === undefined || least === 0 ? '' : `at least ${say(least)}${unit && ` ${units}`}`;
  const span = least === most ? say(most) : `${say(least ?? 0)} to ${say(most)}`;
  return unit === '' ? span : `${span} ${units}`;
}
