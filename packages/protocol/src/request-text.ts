import { z } from 'zod';
import { hasNul, jsonFault, maxTextLength, wellFormedJson } from './text.ts';

/** `Expected '<field>' ...`: the sentence of the session protocol for a field that is not as it has to be. */
export const expected = (field: string, what: string): string => `Expected '${field}' ${what}.`;

/** A string that the store and a model can take: without U+0000, lone surrogates become U+FFFD. `wrong` refuses other types. */
export const requestText = (field: string, wrong: string) =>
  z
    .string(wrong)
    .refine((text) => !hasNul(text), expected(field, 'not to contain U+0000'))
    .overwrite((text) => text.toWellFormed());

/** As `requestText`, of at most 20,000 code points. */
export const boundedText = (field: string, wrong: string) =>
  requestText(field, wrong).max(maxTextLength, tooLong(field, maxTextLength));

export const tooLong = (field: string, limit: number): string =>
  expected(field, `to have at most ${limit} characters`);

/** Opaque and never empty: a token or an id. */
export const opaque = (field: string, maxLength: number, missing: string) =>
  z.string(missing).min(1, missing).max(maxLength, tooLong(field, maxLength));

/** A JSON object with any members. */
export const requestObject = (field: string, wrong: string) =>
  z
    .record(z.string(), z.unknown(), wrong)
    .check(({ value, issues }) => {
      const fault = jsonFault(value);
      if (fault === null) return;
      const message = fault === 'nul' ? expected(field, 'not to contain U+0000') : wrong;
      issues.push({ code: 'custom', input: value, message, continue: false });
    })
    .overwrite((value) => wellFormedJson(value) as Record<string, unknown>);

/** `schema` behind a judgement of the whole value, whose sentence comes before that of any part; null: go on. */
export const judged = <Schema extends z.ZodType>(judge: (value: unknown) => string | null, schema: Schema) =>
  z.preprocess((value, context) => {
    const message = judge(value);
    if (message === null) return value;
    context.issues.push({ code: 'custom', input: value, message });
    return z.NEVER;
  }, schema);
