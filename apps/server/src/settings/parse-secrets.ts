import type { z } from 'zod';

/** Opened secrets as the schema says it. Parsers quote what they read in their errors, so their errors stay in here. */
export function parseSecrets<Schema extends z.ZodType>(schema: Schema, opened: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(opened));
  } catch {
    throw new Error('its opened secrets do not fit their schema');
  }
}
