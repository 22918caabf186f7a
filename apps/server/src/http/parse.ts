import type { Parsed } from '@parley/protocol/parsed';
import type { z } from 'zod';
import { ProblemError } from './problem.ts';

/** The value as the schema says it, or a 400 that lists every issue. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, 50).map((issue) => ({
    path: issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
    message: issue.message,
  }));
  throw new ProblemError('BAD_REQUEST', 'The request is not valid.', { issues });
}

/** What a parser of the protocol made of a body or query, or its refusal as a 400. */
export function parsedOrThrow<Value>(parsed: Parsed<Value>): Value {
  if (parsed.ok) return parsed.value;
  const { message, path } = parsed;
  throw new ProblemError('BAD_REQUEST', message, { issues: [{ path, message }] });
}
