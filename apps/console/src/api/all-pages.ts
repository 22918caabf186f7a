import { call, type Page } from './call.ts';

const perPage = 200;
/** More than anybody chooses from; what comes after them is left out. */
const maxPages = 50;

/** A whole list of the settings API, for what chooses from it. Throws as `call`. */
export async function allPages<Item>(list: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor = '';
  for (let page = 0; page < maxPages; page++) {
    const separator = list.includes('?') ? '&' : '?';
    const read = await call<Page<Item>>('GET', `${list}${separator}limit=${perPage}${cursor}`);
    items.push(...read.items);
    if (read.next === null) return items;
    cursor = `&cursor=${encodeURIComponent(read.next)}`;
  }
  return items;
}
