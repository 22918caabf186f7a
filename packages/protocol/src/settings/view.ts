import { z } from 'zod';

/** How a stored secret appears in an answer: it can be set and replaced, never read. */
export const credentialViewSchema = z.strictObject({ set: z.literal(true), last4: z.string().max(4) });

/** In place of an entry that cannot be read as it is stored; asked for by itself it is a 500 that says why. */
export const unreadableSchema = z.strictObject({ id: z.string(), unreadable: z.literal(true) });

/** A page of a list. `next` is the cursor of the following page. */
export const listView = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next: z.string().nullable() });
