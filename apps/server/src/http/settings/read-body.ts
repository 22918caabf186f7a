import { jsonFault, wellFormedJson } from '@parley/protocol/text';
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { readJsonBody } from '../body.ts';
import { parse } from '../parse.ts';
import { ProblemError } from '../problem.ts';

/** A settings body: JSON of at most 1 MiB, without U+0000, that fits its strict schema. */
export async function readBody<Schema extends z.ZodType>(
  request: IncomingMessage,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body = await readJsonBody(request, { limit: 1024 * 1024, contentType: 'json' });
  const fault = jsonFault(body);
  if (fault !== null)
    throw new ProblemError(
      'BAD_REQUEST',
      fault === 'nul' ? 'U+0000 is not accepted.' : 'The body is nested too deeply.',
    );
  return parse(schema, wellFormedJson(body));
}
