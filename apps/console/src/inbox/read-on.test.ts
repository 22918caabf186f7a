import type { InboxItem } from '@parley/protocol/settings/inbox';
import { expect, test } from 'vitest';
import { readOn } from './read-on.ts';

/** A list whose pages have these rows, each a letter; the cursor of a page is its number. */
const listOf =
  (...pages: readonly string[]) =>
  async (cursor: string | null) => {
    const at = Number(cursor ?? 0);
    return {
      items: Array.from(pages[at]!, (id) => ({ id }) as InboxItem),
      next: at + 1 === pages.length ? null : String(at + 1),
    };
  };
interface Wanted {
  readonly from: string | null;
  readonly rows: number;
  readonly maxPages: number;
}
const { signal } = new AbortController();
const read = async ({ from, rows, maxPages }: Wanted, ...pages: readonly string[]) => {
  const wanted = { from, rows: () => rows, maxPages: () => maxPages, signal };
  const { items, ...rest } = await readOn(listOf(...pages), wanted);
  return { ids: items.map(({ id }) => id).join(''), ...rest };
};

test('a list is read until there are as many rows as are wanted, or it ends', async () => {
  const pages = ['ab', '', 'cd', 'ef'] as const;
  const from = null;
  const wanted = (rows: number, maxPages = 10) => read({ from, rows, maxPages }, ...pages);
  expect(await wanted(1)).toEqual({ ids: 'ab', next: '1', pages: 1, isSparse: false });
  expect(await wanted(3)).toEqual({ ids: 'abcd', next: '3', pages: 3, isSparse: false });
  expect(await wanted(99)).toEqual({ ids: 'abcdef', next: null, pages: 4, isSparse: false });
  expect(await wanted(99, 2)).toEqual({ ids: 'ab', next: '2', pages: 2, isSparse: true });
});

test('it is read on from a place, over pages that have nothing', async () => {
  const onward = { from: '1', rows: 1, maxPages: 10 };
  expect(await read(onward, 'a', '', '', 'b', 'c')).toMatchObject({ ids: 'b', next: '4', pages: 3 });
});

test('a row that moves while it is read is there once', async () => {
  expect((await read({ from: null, rows: 9, maxPages: 10 }, 'ab', 'ca')).ids).toBe('bca');
});

test('a list that is unfolded while it is read is read as far as that', async () => {
  const pages = listOf('ab', 'cd', 'ef');
  let shown = 2;
  const reading = readOn(
    async (cursor) => {
      const page = await pages(cursor);
      shown = 4;
      return page;
    },
    { from: null, rows: () => shown, maxPages: () => shown / 2, signal },
  );
  expect(await reading).toMatchObject({ items: [{}, {}, {}, {}], next: '2', pages: 2 });
});

test('no page is asked for once nobody wants the list', async () => {
  const pages = listOf('a', 'b', 'c', 'd');
  const ending = new AbortController();
  const asked: (string | null)[] = [];
  const reading = readOn(
    async (cursor) => {
      asked.push(cursor);
      if (cursor === '1') ending.abort();
      return pages(cursor);
    },
    { from: null, rows: () => 9, maxPages: () => 9, signal: ending.signal },
  );
  await expect(reading).rejects.toThrow(/abort/);
  expect(asked).toEqual([null, '1']);
});
