import { isObject, type Json, type JsonObject, parseJson, printJson } from './json.ts';

/** What the form can show of a parameter; `other`: its schema says it in a way that only JSON does. */
const parameterTypes = ['string', 'choice', 'number', 'integer', 'boolean', 'strings', 'other'] as const;
export type ParameterType = (typeof parameterTypes)[number];

export interface ParameterRow {
  readonly name: string;
  readonly type: ParameterType;
  readonly description: string;
  readonly required: boolean;
  /** The values of a choice. */
  readonly choices: readonly string[];
}

export const emptySchema = printJson({ type: 'object', properties: {} });

interface Schema {
  readonly whole: JsonObject;
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required: readonly string[];
}

/** The schema of a tool's parameters; null: the text is none. */
function schemaOf(text: string): Schema | null {
  const whole = parseJson(text);
  if (!isObject(whole) || whole['type'] !== 'object') return null;
  const { properties = {}, required = [] } = whole;
  if (!isObject(properties) || !Object.values(properties).every(isObject)) return null;
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) return null;
  return { whole, properties: properties as Record<string, JsonObject>, required };
}

/** The parameters of a schema as the form shows them; null: it is one that only JSON shows. */
export function rowsOf(text: string): ParameterRow[] | null {
  const schema = schemaOf(text);
  if (schema === null) return null;
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, enum: choices } = property;
    return {
      name,
      type: typeOf(property),
      description: typeof description === 'string' ? description : '',
      required: schema.required.includes(name),
      choices: typeOf(property) === 'choice' ? (choices as string[]) : [],
    };
  });
}

function typeOf({ type, enum: choices, items }: JsonObject): ParameterType {
  if (type === 'array') return isObject(items) && items['type'] === 'string' ? 'strings' : 'other';
  if (choices !== undefined)
    return type === 'string' && Array.isArray(choices) && choices.every((each) => typeof each === 'string')
      ? 'choice'
      : 'other';
  return type === 'string' || type === 'number' || type === 'integer' || type === 'boolean' ? type : 'other';
}

const typed: { readonly [Type in ParameterType]: JsonObject } = {
  string: { type: 'string' },
  choice: { type: 'string', enum: [] },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  strings: { type: 'array', items: { type: 'string' } },
  other: {},
};

/** The schema after a change of one row; whatever the row does not show of it stays. */
export function changeRow(text: string, name: string, change: Partial<ParameterRow>): string {
  const schema = schemaOf(text);
  const before = schema?.properties[name];
  if (!schema || !before) return text;
  const { type, description, choices, required, name: renamed = name } = change;
  let property: JsonObject = { ...before };
  if (type !== undefined && type !== typeOf(before)) {
    // What is said of values of one type means nothing for another.
    const { description: kept } = before;
    property = { ...typed[type], ...(kept !== undefined && { description: kept }) };
  }
  if (description !== undefined) property = { ...property, description };
  if (property['description'] === '') delete property['description'];
  if (choices !== undefined) property = { ...property, enum: [...choices] };
  const properties = Object.entries(schema.properties).map(([each, value]) =>
    each === name ? [renamed, property] : [each, value],
  );
  const isRequired = required ?? schema.required.includes(name);
  const others = schema.required.filter((each) => each !== name);
  return printed(schema, Object.fromEntries(properties), isRequired ? [...others, renamed] : others);
}

export function addRow(text: string, name: string): string {
  const schema = schemaOf(text);
  if (!schema || Object.hasOwn(schema.properties, name)) return text;
  return printed(schema, { ...schema.properties, [name]: { type: 'string' } }, [...schema.required, name]);
}

export function removeRow(text: string, name: string): string {
  const schema = schemaOf(text);
  if (!schema) return text;
  const { [name]: _gone, ...properties } = schema.properties;
  return printed(
    schema,
    properties,
    schema.required.filter((each) => each !== name),
  );
}

function printed({ whole }: Schema, properties: Record<string, Json>, required: readonly string[]): string {
  const { required: _before, ...rest } = whole;
  return printJson({ ...rest, properties, ...(required.length > 0 && { required: [...required] }) });
}
