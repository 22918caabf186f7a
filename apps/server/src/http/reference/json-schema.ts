/** What of JSON Schema the OpenAPI document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The schemas that it may be, one after the other; null is none of them. */
export function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const parts = anyOf ?? oneOf;
  if (parts) return parts.flatMap(alternativesOf).filter(({ type }) => type !== 'null');
  if (allOf) return [allOf.reduce(joined, rest)];
  return [schema];
}

function joined(one: JsonSchema, other: JsonSchema): JsonSchema {
  return {
    ...one,
    ...other,
    properties: { ...one.properties, ...other.properties },
    required: [...(one.required ?? []), ...(other.required ?? [])],
  };
}

export const refName = (ref: string): string => ref.split('/').at(-1) ?? '';
