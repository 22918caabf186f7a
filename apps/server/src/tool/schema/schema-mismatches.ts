import { codePoints } from '@parley/protocol/text';
import type { JsonSchema } from '../../model/model.ts';
import { type PreparedSchema, prepareSchema } from './prepare-schema.ts';
import { isObject, type SchemaNode } from './schema-shape.ts';

/** Steps that one check may take. None takes more than some 200 ns, so that a check never holds the event loop for 50 ms. */
const maxSteps = 150_000;
/** Steps of a pattern's program over one character that count as one step here. */
const patternStepsPerStep = 8;

/** The mismatches found, each as `where must ...`; `tooMuch` when the check was stopped for its length. */
export interface Mismatches {
  readonly found: readonly string[];
  readonly tooMuch: boolean;
}

/**
 * Holds a value against a JSON Schema (2020-12; formats are not checked) and names the first `most` mismatches. The
 * schema is walked, not compiled: a check costs no memory that stays, and stops after a stated number of steps. Throws
 * as `prepareSchema` does.
 */
export function schemaMismatches(schema: JsonSchema, value: unknown, most: number): Mismatches {
  const check: Check = { ...prepareSchema(schema), found: [], most, steps: 0 };
  try {
    holds(check, schema, value, '', check.tracksEvaluated ? newEvaluated() : null, false);
  } catch (error) {
    if (error === tooManySteps) return { found: check.found, tooMuch: true };
    throw error;
  }
  return { found: check.found, tooMuch: false };
}

interface Check extends PreparedSchema {
  readonly found: string[];
  readonly most: number;
  steps: number;
}

/** The properties and items of one value that some keyword has looked at. */
interface Evaluated {
  readonly properties: Set<string>;
  readonly items: Set<number>;
}

const tooManySteps = new Error('The check took too many steps.');

const newEvaluated = (): Evaluated => ({ properties: new Set(), items: new Set() });

function step(check: Check, count = 1): void {
  check.steps += count;
  if (check.steps > maxSteps) throw tooManySteps;
}

/** Whether the value fits the node. `quiet`: a mismatch is no fault of the value as a whole. */
function holds(
  check: Check,
  node: unknown,
  value: unknown,
  path: string,
  evaluated: Evaluated | null,
  quiet: boolean,
): boolean {
  step(check);
  if (typeof node === 'boolean') return node || fails(check, path, () => 'is not allowed', quiet);
  if (!isObject(node)) return true;
  const at: Place = { check, node, path, quiet, evaluated, fits: true };
  if (!checkAny(at, value)) return false;
  if (typeof value === 'string') checkText(at, value);
  else if (typeof value === 'number') checkNumber(at, value);
  else if (Array.isArray(value)) checkItems(at, value);
  else if (isObject(value)) checkProperties(at, value);
  return at.fits;
}

interface Place {
  readonly check: Check;
  readonly node: SchemaNode;
  readonly path: string;
  readonly quiet: boolean;
  readonly evaluated: Evaluated | null;
  fits: boolean;
}

type Words = () => string;

/** The words are made for those who read them only: they repeat parts of the schema. */
function fails(check: Check, path: string, words: Words, quiet: boolean): false {
  if (!quiet && check.found.length < check.most) {
    const text = path === '' ? words() : `${path} ${words()}`;
    if (!check.found.includes(text)) check.found.push(text);
  }
  return false;
}

function fault(at: Place, words: Words): void {
  at.fits = fails(at.check, at.path, words, at.quiet);
}

/** Whether the rest can be skipped: the value does not fit, and no further mismatch would be named. */
function isDecided({ check, fits, quiet }: Place): boolean {
  return !fits && (quiet || check.found.length >= check.most);
}

/** Another schema for the same value. */
function alsoHolds(at: Place, node: unknown, value: unknown, quiet: boolean): boolean {
  const evaluated = at.evaluated && newEvaluated();
  if (!holds(at.check, node, value, at.path, evaluated, quiet)) return false;
  if (evaluated) step(at.check, Math.ceil((evaluated.properties.size + evaluated.items.size) / 4));
  for (const name of evaluated?.properties ?? []) at.evaluated?.properties.add(name);
  for (const index of evaluated?.items ?? []) at.evaluated?.items.add(index);
  return true;
}

/** The keywords for values of every type. False when the rest makes no sense. */
function checkAny(at: Place, value: unknown): boolean {
  const { check, node, quiet } = at;
  const { type, enum: values, allOf, anyOf, oneOf, not, if: condition, $ref } = node;
  if (type !== undefined && !isOfType(node, value)) {
    fault(at, () => `must be ${typeNames(type)}`);
    return false;
  }
  if (Array.isArray(values) && !values.some((entry) => same(check, entry, value)))
    fault(at, () => `must be equal to one of the allowed values (${excerpt(values)})`);
  if (Object.hasOwn(node, 'const') && !same(check, node['const'], value))
    fault(at, () => `must be equal to ${excerpt(node['const'])}`);
  if (typeof $ref === 'string' && !alsoHolds(at, check.references.get($ref), value, quiet)) at.fits = false;
  for (const part of list(allOf)) {
    if (isDecided(at)) return false;
    if (!alsoHolds(at, part, value, quiet)) at.fits = false;
  }
  if (anyOf !== undefined) {
    // With `unevaluated…` somewhere every alternative counts, not only the first that fits.
    const branches = list(anyOf);
    const any = at.evaluated
      ? branches.filter((part) => alsoHolds(at, part, value, true)).length > 0
      : branches.some((part) => alsoHolds(at, part, value, true));
    if (!any) fault(at, () => 'must match a schema in anyOf');
  }
  if (oneOf !== undefined) {
    let matching = 0;
    for (const part of list(oneOf)) {
      if (matching < 2 && alsoHolds(at, part, value, true)) matching += 1;
    }
    if (matching !== 1) fault(at, () => 'must match exactly one schema in oneOf');
  }
  if (not !== undefined && holds(check, not, value, at.path, at.evaluated && newEvaluated(), true))
    fault(at, () => 'must NOT be valid');
  if (condition !== undefined) {
    const branch = alsoHolds(at, condition, value, true) ? node['then'] : node['else'];
    if (branch !== undefined && !alsoHolds(at, branch, value, quiet)) at.fits = false;
  }
  return !isDecided(at);
}

function checkText(at: Place, value: string): void {
  const { check, node } = at;
  const { maxLength, minLength, pattern } = node;
  if (maxLength !== undefined || minLength !== undefined) {
    step(check, Math.ceil(value.length / 32));
    const length = codePoints(value);
    if (length > Number(maxLength ?? Infinity))
      fault(at, () => `must NOT have more than ${Number(maxLength)} characters`);
    if (length < Number(minLength ?? 0))
      fault(at, () => `must NOT have fewer than ${Number(minLength)} characters`);
  }
  if (typeof pattern === 'string' && !matches(check, pattern, value))
    fault(at, () => `must match pattern ${JSON.stringify(pattern)}`);
}

function checkNumber(at: Place, value: number): void {
  const { maximum, minimum, exclusiveMaximum, exclusiveMinimum, multipleOf } = at.node;
  if (value > Number(maximum ?? Infinity)) fault(at, () => `must be <= ${Number(maximum)}`);
  if (value < Number(minimum ?? -Infinity)) fault(at, () => `must be >= ${Number(minimum)}`);
  if (exclusiveMaximum !== undefined && value >= Number(exclusiveMaximum))
    fault(at, () => `must be < ${Number(exclusiveMaximum)}`);
  if (exclusiveMinimum !== undefined && value <= Number(exclusiveMinimum))
    fault(at, () => `must be > ${Number(exclusiveMinimum)}`);
  if (multipleOf !== undefined && !isMultiple(value, Number(multipleOf)))
    fault(at, () => `must be multiple of ${Number(multipleOf)}`);
}

function checkItems(at: Place, value: readonly unknown[]): void {
  const { check, node, path, quiet, evaluated } = at;
  const { maxItems, minItems, uniqueItems, items, prefixItems, contains, unevaluatedItems } = node;
  if (value.length > Number(maxItems ?? Infinity))
    fault(at, () => `must NOT have more than ${Number(maxItems)} items`);
  if (value.length < Number(minItems ?? 0))
    fault(at, () => `must NOT have fewer than ${Number(minItems)} items`);
  if (uniqueItems === true) {
    const distinct = new Set(value.map((item) => canonical(check, item)));
    if (distinct.size !== value.length) fault(at, () => 'must NOT have duplicate items');
  }
  const first = list(prefixItems);
  if (first.length > 0 || items !== undefined) {
    for (const [index, item] of value.entries()) {
      if (isDecided(at)) return;
      const part = index < first.length ? first[index] : items;
      if (part === undefined) break;
      evaluated?.items.add(index);
      if (!holds(check, part, item, below(path, index), evaluated && newEvaluated(), quiet)) at.fits = false;
    }
  }
  if (contains !== undefined) {
    let matching = 0;
    for (const [index, item] of value.entries()) {
      if (!holds(check, contains, item, below(path, index), evaluated && newEvaluated(), true)) continue;
      evaluated?.items.add(index);
      matching += 1;
    }
    const least = Number(node['minContains'] ?? 1);
    if (matching < least) fault(at, () => `must contain at least ${least} valid item(s)`);
    if (matching > Number(node['maxContains'] ?? Infinity))
      fault(at, () => `must contain at most ${Number(node['maxContains'])} valid item(s)`);
  }
  if (unevaluatedItems === undefined || !evaluated) return;
  for (const [index, item] of value.entries()) {
    step(check);
    if (evaluated.items.has(index)) continue;
    evaluated.items.add(index);
    if (!holds(check, unevaluatedItems, item, below(path, index), newEvaluated(), quiet)) at.fits = false;
  }
}

function checkProperties(at: Place, value: SchemaNode): void {
  const { check, node, path, quiet, evaluated } = at;
  const { maxProperties, minProperties, required, dependentRequired, dependentSchemas } = node;
  const { properties, patternProperties, additionalProperties, propertyNames, unevaluatedProperties } = node;
  const names = Object.keys(value);
  step(check, Math.ceil(names.length / 4));
  if (names.length > Number(maxProperties ?? Infinity))
    fault(at, () => `must NOT have more than ${Number(maxProperties)} properties`);
  if (names.length < Number(minProperties ?? 0))
    fault(at, () => `must NOT have fewer than ${Number(minProperties)} properties`);
  requireAll(at, value, list(required));
  for (const [name, wanted] of entries(dependentRequired)) {
    step(check);
    if (Object.hasOwn(value, name)) requireAll(at, value, list(wanted));
  }
  for (const [name, part] of entries(dependentSchemas)) {
    step(check);
    if (Object.hasOwn(value, name) && !alsoHolds(at, part, value, quiet)) at.fits = false;
  }
  const known = isObject(properties) ? properties : {};
  const patterns = entries(patternProperties);
  const looks =
    properties !== undefined ||
    patterns.length > 0 ||
    additionalProperties !== undefined ||
    propertyNames !== undefined;
  for (const name of looks ? names : []) {
    if (isDecided(at)) return;
    const inside = below(path, name);
    const parts: unknown[] = [];
    if (Object.hasOwn(known, name)) parts.push(known[name]);
    for (const [pattern, part] of patterns) if (matches(check, pattern, name)) parts.push(part);
    if (
      propertyNames !== undefined &&
      !holds(check, propertyNames, name, inside, evaluated && newEvaluated(), true)
    )
      fault(at, () => `property name ${JSON.stringify(name)} is not valid`);
    if (parts.length === 0 && additionalProperties === false) {
      step(check);
      fault(at, () => `must NOT have additional properties (${JSON.stringify(name)})`);
      continue;
    }
    if (parts.length === 0 && additionalProperties !== undefined) parts.push(additionalProperties);
    if (parts.length > 0) evaluated?.properties.add(name);
    else step(check);
    for (const part of parts) {
      if (!holds(check, part, value[name], inside, evaluated && newEvaluated(), quiet)) at.fits = false;
    }
  }
  if (unevaluatedProperties === undefined || !evaluated) return;
  for (const name of names) {
    step(check);
    if (evaluated.properties.has(name)) continue;
    evaluated.properties.add(name);
    if (unevaluatedProperties === false)
      fault(at, () => `must NOT have unevaluated properties (${JSON.stringify(name)})`);
    else if (!holds(check, unevaluatedProperties, value[name], below(path, name), newEvaluated(), quiet))
      at.fits = false;
  }
}

function requireAll(at: Place, value: SchemaNode, names: readonly unknown[]): void {
  for (const name of names) {
    step(at.check);
    if (!Object.hasOwn(value, String(name))) fault(at, () => `must have required property '${String(name)}'`);
    if (isDecided(at)) return;
  }
}

const typeNames = (type: unknown): string => (typeof type === 'string' ? type : list(type).join(' or '));

function isOfType({ type, nullable }: SchemaNode, value: unknown): boolean {
  if (nullable === true && value === null) return true;
  return Array.isArray(type) ? type.some((one) => isOneType(one, value)) : isOneType(type, value);
}

function isOneType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function matches(check: Check, pattern: string, text: string): boolean {
  const compiled = check.patterns.get(pattern);
  if (!compiled) return true;
  step(check, Math.ceil((compiled.program * text.length) / patternStepsPerStep) + 1);
  return compiled.test(text);
}

/** Equal as JSON: the order of an object's keys does not count. */
function same(check: Check, a: unknown, b: unknown): boolean {
  step(check, typeof a === 'string' ? lengthSteps(a) : 1);
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  return canonical(check, a) === canonical(check, b);
}

function canonical(check: Check, value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    step(check, lengthSteps(key) + (typeof item === 'string' ? lengthSteps(item) : 0));
    if (!isObject(item)) return item;
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

const lengthSteps = (text: string): number => 1 + Math.floor(text.length / 64);

/** Whole multiples, whatever the binary fractions of both are: 0.3 is one of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const ratio = value / of;
  return Math.abs(ratio - Math.round(ratio)) < 1e-9 * Math.max(1, Math.abs(ratio));
}

const below = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);

const excerpt = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const entries = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);
