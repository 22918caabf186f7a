import { isObject, type Json, type JsonObject } from './json.ts';

/** What models and the service read of a schema. */
const keywords = new Set([
  'type',
  'description',
  'enum',
  'const',
  'format',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'required',
  'readOnly',
]);
const schemas = ['items', 'additionalProperties', 'not'];
const schemaLists = ['allOf', 'anyOf', 'oneOf'];

/** A schema of OpenAPI 3.0 or 3.1 as JSON Schema, without what only documents and examples need. */
export function schemaOfApi(schema: Json): JsonObject {
  if (!isObject(schema)) return {};
  const made: JsonObject = {};
  for (const [name, value] of Object.entries(schema)) {
    if (keywords.has(name)) made[name] = value;
    else if (schemas.includes(name)) made[name] = isObject(value) ? schemaOfApi(value) : value;
    else if (schemaLists.includes(name) && Array.isArray(value)) made[name] = value.map(schemaOfApi);
    else if (name === 'properties' && isObject(value))
      made[name] = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, schemaOfApi(inner)]));
  }
  // Of 3.0: in JSON Schema a bound that is exclusive is a number.
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof made[exclusive] !== 'boolean') continue;
    if (made[exclusive] && typeof made[bound] === 'number') {
      made[exclusive] = made[bound];
      delete made[bound];
    } else delete made[exclusive];
  }
  if (schema['nullable'] === true && typeof made['type'] === 'string') made['type'] = [made['type'], 'null'];
  return merged(made);
}

/** Objects that are put together of several are one: a model fills in their fields. */
function merged(schema: JsonObject): JsonObject {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = [...allOf.filter(isObject), rest];
  if (!parts.every((part) => part['type'] === 'object' || part['type'] === undefined)) return schema;
  const properties: JsonObject = {};
  const required: Json[] = [];
  for (const part of parts) {
    if (isObject(part['properties'])) Object.assign(properties, part['properties']);
    if (Array.isArray(part['required'])) required.push(...part['required']);
  }
  const { description } = rest;
  return {
    type: 'object',
    ...(description !== undefined && { description }),
    properties,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}
