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
      return isMissing ? missing(issue.values) : expectedOf(issue.values);
    case 'invalid_union': {
      const kinds: unknown = issue['options'];
      if (!Array.isArray(kinds)) return undefined;
      return isWithout(issue.input, issue.discriminator) ? missing(kinds) : expectedOf(kinds);
    }
    case 'too_small':
      return issue.inclusive === false
        ? undefined
        : `Expected at least ${amountOf(issue.minimum, issue.origin)}.`;
    case 'too_big':
      return issue.inclusive === false
        ? undefined
        : `Expected at most ${amountOf(issue.maximum, issue.origin)}.`;
    default:
      return undefined;
  }
};

const missing = (values: readonly unknown[]) => `It is missing. ${expectedOf(values)}`;

const expectedOf = (values: readonly unknown[]) =>
  `Expected ${values.length > 1 ? 'one of ' : ''}${values.map((value) => JSON.stringify(value)).join(', ')}.`;

/** What is counted of a text or a list; of a number it is itself. */
function amountOf(count: number | bigint, origin: string): string {
  const unit = { string: 'character', array: 'item' }[origin];
  if (unit === undefined) return String(count);
  return `${count} ${unit}${Number(count) === 1 ? '' : 's'}`;
}

/** Where a field tells kinds apart, the issue is that field's, and its input the whole object. */
function isWithout(input: unknown, field: string | undefined): boolean {
  return (
    field !== undefined &&
    typeof input === 'object' &&
    input !== null &&
    (input as Readonly<Record<string, unknown>>)[field] === undefined
  );
}
