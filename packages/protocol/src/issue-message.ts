import type { z } from 'zod';

const names: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** What is told of a field whose schema has no sentence of its own; undefined for that of the schema library. */
export const issueMessage: z.core.$ZodErrorMap = (issue) => {
  const isMissing = issue.input === undefined;
  switch (issue.code) {
    case 'invalid_type': {
      if (isMissing) return 'It is missing.';
      const expected = names[issue.expected];
      return expected && `Expected ${expected}.`;
    }
    case 'invalid_value':
      return isMissing ? missing(issue.values) : undefined;
    case 'invalid_union':
      return isWithout(issue.input, issue.discriminator) && Array.isArray(issue['options'])
        ? missing(issue['options'])
        : undefined;
    default:
      return undefined;
  }
};

const missing = (values: readonly unknown[]) =>
  `It is missing. Expected ${values.length > 1 ? 'one of ' : ''}${values.map((value) => JSON.stringify(value)).join(', ')}.`;

/** Where a field tells kinds apart, the issue is that field's, and its input the whole object. */
function isWithout(input: unknown, field: string | undefined): boolean {
  return (
    field !== undefined &&
    typeof input === 'object' &&
    input !== null &&
    (input as Readonly<Record<string, unknown>>)[field] === undefined
  );
}
