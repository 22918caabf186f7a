import { setImmediate } from 'node:timers/promises';
import type { Collection } from '../store/settings-store.ts';

const pageSize = 100;

/** Every record of a collection that has these fields, page by page; other work runs between two pages. */
export async function* allRecords<T extends { readonly id: string }>(
  collection: Collection<T>,
  where: Partial<T> = {},
): AsyncGenerator<T, void> {
  let after: string | null = null;
  do {
    const page = await collection.list({ where, after, limit: pageSize });
    yield* page.items;
    after = page.next;
    await setImmediate();
  } while (after !== null);
}
