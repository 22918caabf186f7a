import { type ErrorObject, type ValidateFunction, Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import type { JsonSchema } from '../model/model.ts';
import { schemaCost } from './schema-cost.ts';

const MAX_SCHEMA_LENGTH = 65_536;
const MAX_SCHEMA_COST = 20_000;
const MAX_PATTERN_LENGTH = 500;
/** Steps of the compiled pattern: what each character of a text may cost. */
const MAX_PATTERN_PROGRAM = 1_000;
const MAX_ARGUMENTS_LENGTH = 65_536;
const MAX_COMPILED = 500;

/** Tenants write the patterns and models the text they run on: only a linear-time engine may meet them. */
function linearRegExp(pattern: string) {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new Error(`a pattern has more than ${MAX_PATTERN_LENGTH} characters`);
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  if (compiled.programSize() > MAX_PATTERN_PROGRAM) throw new Error('a pattern repeats too much');
  // Ajv tells patterns apart by their text.
  return { test: (text: string) => compiled.test(text), toString: () => pattern };
}
linearRegExp.code = 'linearRegExp';

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  addUsedSchema: false,
  inlineRefs: false,
  validateFormats: false,
  logger: false,
  code: { regExp: linearRegExp },
});
// The built-in one compares every pair of items.
ajv.removeKeyword('uniqueItems');
ajv.addKeyword({
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: false,
  validate: (wanted: boolean, items: unknown[]) =>
    !wanted || new Set(items.map(canonical)).size === items.length,
});

const compiled = new Map<string, ValidateFunction>();

/** Throws, in words for whoever wrote the schema, when it cannot be used. */
function compile(parameters: JsonSchema): ValidateFunction {
  const text = JSON.stringify(parameters);
  const known = compiled.get(text);
  if (known) return known;
  if (text.length > MAX_SCHEMA_LENGTH) throw new Error(`it is longer than ${MAX_SCHEMA_LENGTH} characters`);
  if (schemaCost(parameters) > MAX_SCHEMA_COST)
    throw new Error('its references multiply beyond what can be checked');
  const { $schema: _dialect, $id: _id, ...schema } = parameters;
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  const [oldest] = compiled.keys();
  if (compiled.size >= MAX_COMPILED && oldest !== undefined) compiled.delete(oldest);
  compiled.set(text, validate);
  return validate;
}

/** What is wrong with a tool's `parameters`, or undefined. */
export function parametersProblem(parameters: JsonSchema): string | undefined {
  if (parameters['type'] !== 'object') return 'type must be "object"';
  return schemaProblem(parameters);
}

/** What is wrong with a schema of any type, or undefined. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not a JSON Schema';
  }
}

function describe({ instancePath, message = 'is not valid', params }: ErrorObject): string {
  const where = instancePath.slice(1).replaceAll('/', '.');
  const detail: unknown = params['allowedValues'] ?? params['additionalProperty'];
  return `${where === '' ? '' : `${where} `}${message}${detail === undefined ? '' : ` (${JSON.stringify(detail)})`}`;
}

/** What is wrong with a call's arguments, written for the model, or undefined. */
export function argumentsProblem(parameters: JsonSchema, input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return 'The arguments must be a JSON object.';
  if (JSON.stringify(input).length > MAX_ARGUMENTS_LENGTH) return 'The arguments are too long.';
  const problems = mismatches(parameters, input);
  return problems && `The arguments are not valid: ${problems}.`;
}

/** How a value does not match a schema, or undefined when it does. */
export function mismatches(schema: JsonSchema, value: unknown): string | undefined {
  const validate = compile(schema);
  if (validate(value)) return undefined;
  const problems = new Set((validate.errors ?? []).map(describe));
  return [...problems].slice(0, 5).join('; ');
}
