import type { z } from 'zod';

/** Marks what is taken and never given back: no answer, event, entry of the log of changes, line of the log or column has it. */
export const writeOnly = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.meta({ writeOnly: true });
