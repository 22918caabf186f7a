import { expect, onTestFinished, test } from 'vitest';
import { serveSites } from './site.ts';

test.each([
  ['/fernhill', '/fernhill/'],
  ['/scenes?lang=de', '/scenes/?lang=de'],
])('%s leads to the page of the folder', async (asked, page) => {
  const site = await serveSites([], 0);
  onTestFinished(() => site.close());
  const placeholders = { service: 'http://127.0.0.1:3000' };
  const look = (path: string) => fetch(`http://127.0.0.1:${site.port}${path}`, { redirect: 'manual' });
  expect((await look(page)).status).toBe(503);
  site.open(placeholders);
  const { status, headers } = await look(asked);
  expect([status, headers.get('location')]).toEqual([302, page]);
  expect((await look(page)).status).toBe(200);
  expect((await look('/nowhere')).status).toBe(404);
});
