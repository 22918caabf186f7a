import { maxStepTextBytes } from '@parley/protocol/bounds';
import { parseExactJson } from '@parley/protocol/exact-json';
import { jsonFault, wellFormedJson } from '@parley/protocol/text';
import { ModelError } from '../model/model-error.ts';

/**
 * The value a model wrote for an `outputSchema`, with long whole numbers as texts. Throws `malformed` when it is none, or
 * does not fit the schema.
 */
export async function parseResult(text: string, schema: Record<string, unknown>): Promise<unknown> {
  if (Buffer.byteLength(text) > maxStepTextBytes)
    throw new ModelError('malformed', `The model's JSON has more than ${maxStepTextBytes} bytes.`);
  let result: unknown;
  try {
    result = parseExactJson(text);
  } catch (cause) {
    throw new ModelError('malformed', 'The model was asked for JSON and answered something else.', { cause });
  }
  if (jsonFault(result) !== null)
    throw new ModelError('malformed', "The model's JSON is nested too deep, or has U+0000 in it.");
  const { schemaMismatches } = await import('../tool/schema/schema-mismatches.ts');
  const [wrong] = mismatchOf(() => schemaMismatches(schema, result, 1));
  if (wrong !== undefined)
    throw new ModelError('malformed', `The model's JSON does not fit the schema: ${wrong}.`);
  // Numbers can be longer written out than as the model wrote them.
  if (Buffer.byteLength(JSON.stringify(result)) > maxStepTextBytes)
    throw new ModelError('malformed', `The model's JSON has more than ${maxStepTextBytes} bytes.`);
  return wellFormedJson(result);
}

function mismatchOf(
  check: () => { readonly found: readonly string[]; readonly tooMuch: boolean },
): readonly string[] {
  try {
    const { found, tooMuch } = check();
    return tooMuch && found.length === 0 ? ['checking it takes too long'] : found;
  } catch (cause) {
    // Accepted by an older version: the turn fails, and only it.
    const message = cause instanceof Error ? cause.message : 'it is not a JSON Schema';
    throw new ModelError('malformed', `The schema cannot be checked: ${message}.`, { cause });
  }
}
