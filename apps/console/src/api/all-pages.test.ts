import { expect, test, vi } from 'vitest';
import { allPages } from './all-pages.ts';

test('a list that is chosen from has all its pages, and ends', async () => {
  const asked: string[] = [];
  const pages = (last: number) => async (url: string) => {
    asked.push(url);
    const page = Number(new URL(url, 'https://a.example').searchParams.get('cursor')?.slice(1) ?? 0);
    return Response.json({ items: [page], next: page === last ? null : `#${page + 1}` });
  };
  vi.stubGlobal('fetch', pages(2));
  expect(await allPages('/agents?tenantId=t')).toEqual([0, 1, 2]);
  expect(asked.at(-1)).toBe('/api/v1/settings/agents?tenantId=t&limit=200&cursor=%232');
  vi.stubGlobal('fetch', pages(-1));
  expect(await allPages('/agents')).toHaveLength(50);
});
