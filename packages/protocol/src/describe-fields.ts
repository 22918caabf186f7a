import { glossary } from './glossary.ts';

type Json = Record<string, unknown>;

/** The same JSON Schema, in which every field says what it means. `parent` is the field or schema that it is of. */
export function describeFields(schema: unknown, parent: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => describeFields(each, parent));
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([word, value]) => {
      if (word === 'properties' && isObject(value)) return [word, described(value, parent)];
      // What stands in these is of the field that they are of.
      if (/^(?:items|additionalProperties|anyOf|oneOf|allOf)$/.test(word))
        return [word, describeFields(value, parent)];
      return [word, value];
    }),
  );
}

function described(properties: Json, parent: string): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const description = glossary[`${parent}.${name}`] ?? glossary[name];
      const said = isObject(property) && !('description' in property) && description !== undefined;
      const whole = describeFields(property, name);
      return [name, said ? { ...(whole as Json), description } : whole];
    }),
  );
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
