import { jsonFault, wellFormedJson } from '@parley/protocol/text';
import type { Request } from 'express';
import type { z } from 'zod';
import { settingsBounds } from '../body-bounds.ts';
import { readJsonBody } from '../body.ts';
import { parse } from '../parse.ts';
import { ProblemError } from '../problem.ts';

/** A settings body: JSON of at most 1 MiB, without U+0000, that fits its strict schema. */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body = await readJsonBody(request, { bounds: settingsBounds, contentType: 'json' });
  if (jsonFault(body) === 'nul') throw new ProblemError('BAD_REQUEST', 'U+0000 is not accepted.');
  return parse(schema, wellFormedJson(body));
}
