import type { z } from 'zod';
import type { Issue } from './problem.ts';

/** The issue that decides where one sentence is the whole answer: a body's fields are judged in the order of its schema. */
export function firstIssue(error: z.ZodError): Issue {
  const [first] = error.issues;
  if (!first) throw new Error('A failed parse has no issue.', { cause: error });
  const { path, message } = innermost(first);
  return { path: path.map((key) => (typeof key === 'symbol' ? String(key) : key)), message };
}

/** A union that passes on the sentence of a member's issue is at the place of that issue. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.map(([first]) => first).find((first) => first?.message === issue.message);
  return inner ? innermost({ ...inner, path: [...issue.path, ...inner.path] }) : issue;
}
