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
