import { z } from 'zod';

export const toolNameSchema = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'Expected a letter, then up to 63 letters, digits, _ or -.')
  .refine((value) => value !== 'ask_question', 'ask_question is a tool of every agent.');
