import { z } from 'zod';

export const maxLanguages = 30;

export const languageSchema = z
  .string()
  .max(35)
  .regex(/^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})*$/, 'Expected a language such as "de" or "pt-BR".');
