import { jsonFault } from '@parley/protocol/text';
import type { JsonSchema } from '../../model/model.ts';
import { prepareSchema } from './prepare-schema.ts';
import { schemaMismatches } from './schema-mismatches.ts';

const maxArgumentsLength = 65_536;
/** Mismatches that a model is told of at once. */
const maxMismatches = 5;

/** What is wrong with a tool's `parameters`, or undefined. */
export function parametersProblem(parameters: JsonSchema): string | undefined {
  if (parameters['type'] !== 'object') return 'type must be "object"';
  return schemaProblem(parameters);
}

/** What is wrong with a schema of any type, or undefined. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  try {
    prepareSchema(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'it is not a JSON Schema';
  }
}

/** What is wrong with a call's arguments, written for the model, or undefined. */
export function argumentsProblem(parameters: JsonSchema, input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return 'The arguments must be a JSON object.';
  if (jsonFault(input) === 'depth') return 'The arguments are nested too deep.';
  if (JSON.stringify(input).length > maxArgumentsLength) return 'The arguments are too long.';
  const { found, tooMuch } = schemaMismatches(parameters, input, maxMismatches);
  if (tooMuch) return 'The arguments take too long to check against the schema. Send fewer or shorter ones.';
  return found.length === 0 ? undefined : `The arguments are not valid: ${found.join('; ')}.`;
}
