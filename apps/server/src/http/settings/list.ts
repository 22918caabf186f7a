import type { Request } from 'express';
import { z } from 'zod';
import type { Collection } from '../../store/settings-store.ts';
import { parse } from '../parse.ts';

/** `?limit=` and `?cursor=` of every list. */
export const pageSchema = z.object({
  limit: z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .pipe(z.int().min(1).max(200))
    .default(50),
  cursor: z.string().max(500).optional(),
});

/** One page of a collection: `?limit=` (50, at most 200) and `?cursor=` (the `next` of the page before). */
export async function listPage<Entry extends { readonly id: string }, Answer>(
  request: Pick<Request, 'query'>,
  collection: Collection<Entry>,
  filters: readonly (keyof Entry & string)[],
  answer: (record: Entry) => Answer,
): Promise<{ items: Answer[]; next: string | null }> {
  const filterSchema = z.strictObject({
    ...pageSchema.shape,
    ...Object.fromEntries(filters.map((name) => [name, z.string().min(1).max(100).optional()])),
  });
  const { limit, cursor, ...where } = parse(filterSchema, { ...request.query });
  const page = await collection.list({
    where: where as Partial<Entry>,
    after: cursor ?? null,
    limit: Number(limit),
  });
  return { items: page.items.map(answer), next: page.next };
}
