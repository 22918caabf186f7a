import { z } from 'zod';

/** How a stored secret appears in an answer: it can be set and replaced, never read. */
export const credentialAnswerSchema = z.strictObject({ set: z.literal(true), last4: z.string().max(4) });

/** A page of a list. `next` is the cursor of the following page. */
export const listAnswer = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next: z.string().nullable() });
