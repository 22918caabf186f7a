import { firstIssue } from '@parley/protocol/first-issue';
import { issueMessage } from '@parley/protocol/issue-message';
import type { Issue as ProblemIssue } from '@parley/protocol/problem';
import type { z } from 'zod';
import { ProblemError } from './problem.ts';

const maxIssues = 50;

/** The value as the schema says it, or a 400 that lists every issue. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value, { error: issueMessage });
  if (result.success) return result.data;
  const found = result.error.issues.slice(0, maxIssues).flatMap(innermost).slice(0, maxIssues);
  const issues = found.map((issue) => ({
    path: issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
    message: issue.message,
  }));
  throw notValid(issues);
}

/** A 400 that lists the issues, and says the first for whoever reads one sentence. */
export function notValid(issues: readonly ProblemIssue[]): ProblemError {
  const [first] = issues;
  const place = first?.path.join('.');
  const sentence = first ? `: ${place ? `${place}: ` : ''}${first.message}` : '.';
  return new ProblemError('BAD_REQUEST', `The request is not valid${sentence}`, { issues });
}

type Issue = z.core.$ZodIssue;

/** The issues of the union's member that has the fewest, instead of "invalid input". */
function innermost(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [closest] = issue.errors.toSorted((one, other) => one.length - other.length);
  if (!closest) return [issue];
  return closest.flatMap((inner) => innermost({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The value as the schema says it, or a 400 whose sentence is that of the first issue: `sessions-protocol` 1.1. */
export function parseOrFirstIssue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: issueMessage });
  if (result.success) return result.data;
  const issue = firstIssue(result.error);
  throw new ProblemError('BAD_REQUEST', issue.message, { issues: [issue] });
}
