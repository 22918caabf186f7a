import type { z } from 'zod';

/** What was sealed, as the schema says it. Errors of parsers quote what they read: none of them may leave here. */
export function parseSealed<Schema extends z.ZodType>(schema: Schema, opened: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(opened));
  } catch {
    throw new Error('What is sealed in it is not what is expected there');
  }
}
